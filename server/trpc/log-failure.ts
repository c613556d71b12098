import type { Logger } from 'pino';
import type { AppError } from '@/server/platform/errors';

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
