import { isTRPCClientError } from '@trpc/client';
import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { z } from 'zod';

const Envelope = z.object({
  code: z.string(),
  message: z.string(),
  status: z.number(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** An error of the server. Its `code` is UNREACHABLE if there was no response. */
export type ApiError = z.infer<typeof Envelope> & { requestId: string | null };

/** Extracts the API error from a failed query or mutation. */
export function readApiError(error: unknown): ApiError {
  const trpc = isTRPCClientError(error) ? error : null;
  const response = trpc?.meta?.response;
  const requestId = response instanceof Response ? response.headers.get('x-request-id') : null;
  const envelope = Envelope.safeParse(trpc?.data?.error);
  if (envelope.success) {
    const { code, message } = envelope.data;
    // Users do not see headers, so the message contains the request ID.
    const own = `Something went wrong.${requestId ? ` Request ID: ${requestId}.` : ''}`;
    return { ...envelope.data, message: code === 'INTERNAL' ? own : message, requestId };
  }
  const isOffline = typeof navigator !== 'undefined' && navigator.onLine === false;
  const message = isOffline
    ? 'You are offline. Try again when you are back online.'
    : 'Upwatch did not respond. Try again in a moment.';
  return { code: 'UNREACHABLE', message, status: 0, requestId };
}

/** The field that shows an issue: the field itself or its nearest parent ("tags" for "tags.0"). */
function fieldFor<Name extends string>(path: string, fields: readonly Name[]): Name | undefined {
  return [...fields]
    .sort((a, b) => b.length - a.length)
    .find((field) => path === field || path.startsWith(`${field}.`));
}

/**
 * Sets the server's issues on their fields and focuses the first.
 * @param fields the registered fields, or a function from an issue's path to its field if the names differ
 * @returns the messages of issues without a field, to show above the form; null if there are none
 */
export function toFieldErrors<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  fields: readonly FieldPath<Values>[] | ((path: string) => FieldPath<Values> | null | undefined),
): string | null {
  const { message, issues = [] } = readApiError(error);
  const rest: string[] = [];
  let placed = 0;
  for (const issue of issues) {
    const field = typeof fields === 'function' ? fields(issue.path) : fieldFor(issue.path, fields);
    if (field) {
      setError(field, { type: 'server', message: issue.message }, { shouldFocus: placed === 0 });
      placed += 1;
    } else {
      rest.push(issue.path ? `${issue.path}: ${issue.message}` : issue.message);
    }
  }
  if (rest.length > 0) return rest.join(' ');
  return placed > 0 ? null : message;
}
