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
  const read = async () => {
    const [{ zodResolver }, schema] = await Promise.all([import('@hookform/resolvers/zod'), load()]);
    return zodResolver(schema);
  };
  return async (values, context, options) => {
    const resolve = await read().catch(() => null);
    if (resolve) return resolve(values, context, options);
    toast.error(
      'A part of this form could not be loaded. Check your connection and try again; or copy what you typed, and reload the page.',
    );
    return { values: {}, errors: { root: { type: 'load' } } as FieldErrors<Values> };
  };
}
