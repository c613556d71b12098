import type { z } from 'zod';
import type { Post } from './post';
import { readJson } from './read-json';

/** How a provider reports errors in JSON. */
export interface FailureForm<Schema extends z.ZodType> {
  schema: Schema;
  text: (failure: z.output<Schema>) => string;
  /** The errors that are permanent: a list of statuses, or a predicate. */
  permanent: readonly number[] | ((failure: z.output<Schema>, status: number) => boolean);
  /** The delay in seconds that it asks for with 429, if that is not in the Retry-After header. */
  wait?: (failure: z.output<Schema>, headers: Record<string, string>) => number | undefined;
  /** The provider also reports errors with a successful status. */
  whateverStatus?: true;
}

/** The only status with which `wait` is called, because some providers send the headers of a quota with every response. */
const TOO_MANY_REQUESTS = 429;

/** Statuses for a wrong credential or address, or a message that the provider does not accept: errors that a retry does not fix. */
export const REJECTED = [400, 401, 403, 404, 410, 413, 422] as const;

/**
 * Returns functions for `post` that read errors in a provider's own JSON form. They ignore responses in another form, such as the 404 of a proxy
 * while the receiver is being deployed.
 */
export function failureForm<Schema extends z.ZodType>(form: FailureForm<Schema>): Pick<Post, 'reason' | 'refusal'> {
  const { schema, text, permanent, wait, whateverStatus } = form;
  return {
    reason: (body) => {
      const failure = readJson(schema, body);
      return failure && text(failure);
    },
    refusal: (status, body, headers) => {
      const failure = status >= 400 || whateverStatus ? readJson(schema, body) : null;
      if (!failure) return null;
      const isPermanent = typeof permanent === 'function' ? permanent(failure, status) : permanent.includes(status);
      const seconds = whateverStatus || status === TOO_MANY_REQUESTS ? wait?.(failure, headers) : undefined;
      return { permanent: isPermanent, retryAfterSeconds: seconds === undefined ? undefined : Math.ceil(seconds) };
    },
  };
}

/** Returns the seconds until a Unix time in a header, at least 0; undefined without a valid time. */
export function secondsUntil(unixTime: string | undefined): number | undefined {
  if (unixTime === undefined || !/^\d{9,11}$/.test(unixTime)) return undefined;
  return Math.max(0, Number(unixTime) - Math.floor(Date.now() / 1000));
}
