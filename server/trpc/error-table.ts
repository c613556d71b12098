import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { isTeamGone } from '@/server/platform/db';
import { AppError, type ErrorCode, type Issue, teamDeleted, unavailable } from '@/server/platform/errors';
import { unknownFieldIssues } from './unknown-fields';

interface Row {
  status: number;
  trpc: TRPC_ERROR_CODE_KEY;
}

/** The HTTP status and tRPC code of every error code. */
export const errorTable = {
  VALIDATION_ERROR: { status: 400, trpc: 'BAD_REQUEST' },
  INVITATION_INVALID: { status: 400, trpc: 'BAD_REQUEST' },
  INVITATION_USED: { status: 400, trpc: 'BAD_REQUEST' },
  ALREADY_MEMBER: { status: 400, trpc: 'BAD_REQUEST' },
  MEMBER_LIMIT_REACHED: { status: 400, trpc: 'BAD_REQUEST' },
  ACCOUNT_EXISTS: { status: 400, trpc: 'BAD_REQUEST' },
  OWN_ROLE_CHANGE: { status: 400, trpc: 'BAD_REQUEST' },
  MEMBER_NOT_FOUND: { status: 400, trpc: 'BAD_REQUEST' },
  LAST_OWNER: { status: 409, trpc: 'CONFLICT' },
  UNAUTHENTICATED: { status: 401, trpc: 'UNAUTHORIZED' },
  PLAN_LIMIT_REACHED: { status: 402, trpc: 'PAYMENT_REQUIRED' },
  INSUFFICIENT_SCOPE: { status: 403, trpc: 'FORBIDDEN' },
  FORBIDDEN: { status: 403, trpc: 'FORBIDDEN' },
  NOT_FOUND: { status: 404, trpc: 'NOT_FOUND' },
  METHOD_NOT_ALLOWED: { status: 405, trpc: 'METHOD_NOT_SUPPORTED' },
  SLUG_TAKEN: { status: 409, trpc: 'CONFLICT' },
  EDIT_CONFLICT: { status: 409, trpc: 'CONFLICT' },
  LAST_ADMINISTRATOR: { status: 409, trpc: 'CONFLICT' },
  INCIDENT_OPEN: { status: 409, trpc: 'CONFLICT' },
  IDEMPOTENCY_MISMATCH: { status: 409, trpc: 'CONFLICT' },
  PAYLOAD_TOO_LARGE: { status: 413, trpc: 'PAYLOAD_TOO_LARGE' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, trpc: 'UNSUPPORTED_MEDIA_TYPE' },
  RATE_LIMITED: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  PAYMENT_PROVIDER_UNAVAILABLE: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
  STORAGE_UNAVAILABLE: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
  UNAVAILABLE: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
  INTERNAL: { status: 500, trpc: 'INTERNAL_SERVER_ERROR' },
} satisfies Record<ErrorCode, Row>;

/** The content of `error` in REST errors, and of `data.error` in tRPC errors. */
export interface ErrorEnvelope {
  code: ErrorCode;
  message: string;
  status: number;
  issues?: Issue[];
}

/** The maximum number of issues in a response, because a body of 1 MiB can cause a hundred thousand. */
const MOST_ISSUES = 100;

/** Returns the issues of a zod error with dotted paths, at most 100. */
export function toIssues(error: z.core.$ZodError): Issue[] {
  return error.issues
    .slice(0, MOST_ISSUES)
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownFieldIssues(issue)
        : [{ path: issue.path.map(String).join('.'), message: issue.message }],
    )
    .slice(0, MOST_ISSUES);
}

/**
 * Maps any thrown value to the error for the caller. If the caller's team was deleted in the meantime, the error is UNAUTHENTICATED. Values that are
 * neither an `AppError` nor an input error become INTERNAL with a generic text.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof z.core.$ZodError) {
    const issues = toIssues(thrown);
    const [first] = issues;
    const where = first?.path ? `${first.path}: ` : '';
    return new AppError('VALIDATION_ERROR', first ? where + first.message : 'The input is not valid.', { issues });
  }
  if (isDatabaseAway(thrown)) return unavailable(thrown);
  if (isTeamGone(thrown)) return teamDeleted();
  return new AppError('INTERNAL', 'Something went wrong. The request ID is in the x-request-id header.', {
    cause: thrown,
  });
}

/** Returns the error envelope, in the documented form. */
export function toEnvelope(error: AppError): ErrorEnvelope {
  const { code, message, issues } = error;
  const envelope: ErrorEnvelope = { code, message, status: errorTable[code].status };
  if (code === 'VALIDATION_ERROR') envelope.issues = issues ?? [];
  return envelope;
}

/** Sets the response headers that tell clients when to retry. */
export function setErrorHeaders({ retryAfterSeconds, limit }: AppError, headers: Headers): void {
  if (retryAfterSeconds === undefined) return;
  headers.set('retry-after', String(retryAfterSeconds));
  if (limit === undefined) return;
  headers.set('ratelimit-limit', String(limit));
  headers.set('ratelimit-remaining', '0');
  headers.set('ratelimit-reset', String(retryAfterSeconds));
}

/**
 * Logs failed requests for the operator: our own errors with their cause, and an unavailable database without a stack per request. Client errors are
 * not logged.
 */
export function logFailure(log: Logger, error: AppError, fields: Record<string, unknown>, message: string): void {
  const { code, cause } = error;
  if (code === 'INTERNAL') log.error({ ...fields, err: cause }, message);
  if (code === 'UNAVAILABLE') {
    const [reason] = cause instanceof Error ? cause.message.trim().split('\n').slice(-1) : [];
    log.warn({ ...fields, reason }, 'A request failed because the database is unavailable');
  }
}
