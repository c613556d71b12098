import { RETRY_AFTER_SECONDS } from './database/database-away';

/** Every error code a caller may see; `server/trpc/error-table.ts` gives each its HTTP status. */
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
  | 'IDEMPOTENCY_MISMATCH'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'PAYMENT_PROVIDER_UNAVAILABLE'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** What is wrong with one field; `path` is dotted ("config.url"), empty for the whole body. */
export interface Issue {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  issues?: Issue[];
  cause?: unknown;
  /** Seconds until a retry makes sense; sent as `retry-after`. */
  retryAfterSeconds?: number;
  /** How many calls the window allows that is used up; sent as `ratelimit-limit`, with none remaining. */
  limit?: number;
}

/** The one error verbs throw. Its message is shown to the caller as it stands. */
export class AppError extends Error {
  override readonly name = 'AppError';
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

/** The RATE_LIMITED of a caller who used up the `limit` of a window that ends in `resetSeconds`. */
export function rateLimited(
  message: string,
  { limit, resetSeconds }: { limit: number; resetSeconds: number },
): AppError {
  return new AppError('RATE_LIMITED', message, { limit, retryAfterSeconds: resetSeconds });
}

/** What a caller is told where the database cannot be reached. */
export function unavailable(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'The database cannot be reached. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** A VALIDATION_ERROR about one field. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { issues: [{ path, message }] });
}
