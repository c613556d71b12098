import { isDiskFull, RETRY_AFTER_SECONDS } from './database/database-away';
import { OwnError } from './own-error';

/** Every public error code; `server/trpc/error-table.ts` maps each to its HTTP status. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'INVITATION_INVALID'
  | 'INVITATION_USED'
  | 'ALREADY_MEMBER'
  | 'MEMBER_LIMIT_REACHED'
  | 'ACCOUNT_EXISTS'
  | 'OWN_ROLE_CHANGE'
  | 'MEMBER_NOT_FOUND'
  | 'LAST_OWNER'
  | 'UNAUTHENTICATED'
  | 'PLAN_LIMIT_REACHED'
  | 'INSUFFICIENT_SCOPE'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'SLUG_TAKEN'
  | 'EDIT_CONFLICT'
  | 'LAST_ADMINISTRATOR'
  | 'INCIDENT_OPEN'
  | 'IDEMPOTENCY_MISMATCH'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'PAYMENT_PROVIDER_UNAVAILABLE'
  | 'STORAGE_UNAVAILABLE'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** The error of one field; `path` is dotted ("config.url"), empty for the whole body. */
export interface Issue {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  issues?: Issue[];
  cause?: unknown;
  /** Seconds until a retry makes sense; sent as `retry-after`. */
  retryAfterSeconds?: number;
  /** The limit of the exhausted window; sent as `ratelimit-limit`, with 0 remaining. */
  limit?: number;
}

/** The only error that verbs throw. Its message is shown to the caller unchanged. */
export class AppError extends OwnError {
  static override readonly kind: string = 'AppError';
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limit: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.issues = options.issues;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.limit = options.limit;
  }
}

/** Returns the RATE_LIMITED error for a caller who exhausted the `limit` of a window that ends in `resetSeconds`. */
export function rateLimited(
  message: string,
  { limit, resetSeconds }: { limit: number; resetSeconds: number },
): AppError {
  return new AppError('RATE_LIMITED', message, { limit, retryAfterSeconds: resetSeconds });
}

/** Returns the error for the time while the disk of the database is full. */
export function diskFull(cause: unknown = new Error('No space left on device')): AppError {
  return new AppError('UNAVAILABLE', 'The disk of the database is full. Try again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** Returns the error for the time while the database is unreachable, or its disk is full. */
export function unavailable(cause: unknown): AppError {
  if (isDiskFull(cause)) return diskFull(cause);
  return new AppError('UNAVAILABLE', 'The database cannot be reached. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** Returns the error for a request whose team was deleted after its caller was authenticated. */
export function teamDeleted(): AppError {
  return new AppError('UNAUTHENTICATED', 'The team of this credential has been deleted.');
}

/** Returns a VALIDATION_ERROR about one field. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { issues: [{ path, message }] });
}
