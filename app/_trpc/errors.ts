import { isTRPCClientError } from '@trpc/client';
import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';

/** The `error` of a response of the API, as the error formatter of the router makes it. */
interface Envelope {
  code: string;
  message: string;
  status: number;
  issues?: { path: string; message: string }[] | undefined;
}

/** An error of the server. Its `code` is UNREACHABLE if there was no response. */
export type ApiError = Envelope & { requestId: string | null };

/** Whether a failed request has an error of the API, and not that of a proxy. Without a schema, because every page loads this file. */
function isEnvelope(error: unknown): error is Envelope {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, status, issues = [] } = error as Partial<Envelope>;
  const isValid = typeof code === 'string' && typeof message === 'string' && typeof status === 'number';
  return isValid && Array.isArray(issues);
}

/** Extracts the API error from a failed query or mutation. */
export function readApiError(error: unknown): ApiError {
  const trpc = isTRPCClientError(error) ? error : null;
  const response = trpc?.meta?.response;
  const requestId = response instanceof Response ? response.headers.get('x-request-id') : null;
  const envelope: unknown = trpc?.data?.error;
  if (isEnvelope(envelope)) {
    const { code, message, status, issues } = envelope;
    // Users do not see headers, so the message contains the request ID.
    const own = `Something went wrong.${requestId ? ` Request ID: ${requestId}.` : ''}`;
    return { code, status, issues, message: code === 'INTERNAL' ? own : message, requestId };
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
