import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { toast } from '@/app/_components/toast/toast';

/**
 * Validates a form by a schema that is loaded when it is needed for the first time: the schema and its library are larger than the rest of most pages.
 * @param load returns the schema
 */
export function lazyResolver<Values extends FieldValues, Output>(
  load: () => Promise<z.ZodType<Output, Values>>,
): Resolver<Values, unknown, Output> {
  let loading: Promise<Resolver<Values, unknown, Output>> | null = null;
  const read = async () => {
    const [{ zodResolver }, schema] = await Promise.all([import('@hookform/resolvers/zod'), load()]);
    return zodResolver(schema);
  };
  return async (values, context, options) => {
    try {
      loading ??= read();
      const resolve = await loading;
      return await resolve(values, context, options);
    } catch {
      loading = null;
      toast.error('Upwatch did not respond. Check your connection and try again.');
      const errors = { root: { type: 'load' } } as FieldErrors<Values>;
      return { values: {}, errors };
    }
  };
}
