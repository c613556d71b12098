import { OwnError } from '../own-error';
/** The seconds after which callers should retry: an embedded or restarted server is usually back by then. */
export const RETRY_AFTER_SECONDS = 5;

/** Prisma's error codes for a database that is unreachable, timed out or closed the connection, or gave no connection or transaction in time. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
const ADAPTER_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
/** The error of a statement that needs more disk space than is left. */
const DISK_FULL = '53100';
/** Connection exceptions, shutdown and recovery, too many connections, a read-only standby, and a full disk (PostgreSQL, appendix A). */
const SQL_STATES = /^(08\w{3}|57P0[1-5]|53300|53100|25006)$/;
/** The driver's messages for errors without a code. */
const DRIVER_WORDS =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed)/;

/** A system error below the driver, such as ECONNREFUSED, on the way to the database. */
export class DatabaseUnreachableError extends OwnError {
  static override readonly kind: string = 'DatabaseUnreachableError';
}

interface Failure {
  code?: unknown;
  meta?: { driverAdapterError?: { cause?: { kind?: unknown; originalCode?: unknown } } };
}

/** Whether a statement failed because the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, meta } = error as Failure;
  return code === DISK_FULL || meta?.driverAdapterError?.cause?.originalCode === DISK_FULL;
}

/** Whether a statement failed because the database is unavailable, and not because of the statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnreachableError || DRIVER_WORDS.test(error.message)) return true;
  const { code, meta } = error as Failure;
  if (typeof code === 'string' && (PRISMA_CODES.has(code) || SQL_STATES.test(code))) return true;
  const { kind, originalCode } = meta?.driverAdapterError?.cause ?? {};
  return ADAPTER_KINDS.has(String(kind)) || SQL_STATES.test(String(originalCode));
}
