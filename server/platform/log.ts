import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { DiskFullLines } from './disk-full-lines';
import { env } from './env';

const SECRET_NAME =
  /pass(word|phrase|wd)|secret|token|authorization|cookie|api[-_]?key|private[-_]?key|webhook[-_]?url/i;
/** Begins at a word boundary, because a search from each character of a long word would be slow. */
const URL_PASSWORD = /\b(\w+:\/\/[^\s/:@]*):[^\s/@]+@/g;
const DEEPEST = 8;
const CENSORED = '[redacted]';

/** Returns the fields of an error and its causes, without the driver's connection object, which contains every statement. */
function described(fields: { cause?: unknown }): object {
  const { cause } = fields;
  const inner = typeof cause === 'object' && cause !== null ? { cause: described(cause) } : {};
  return { ...fields, client: undefined, ...inner };
}

/** Returns a copy of a logged value without secrets (by field name) and passwords in URLs. */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(URL_PASSWORD, `$1:${CENSORED}@`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (value instanceof Error) return redact(described(stdSerializers.errWithCause(value)), depth);
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact(value.toJSON(), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name) && item ? CENSORED : redact(item, depth + 1),
    ]),
  );
}

const redactFields = (fields: object) => redact(fields) as Record<string, unknown>;

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Creates a logger that writes JSON lines: `level` as a word, `time` in ISO 8601, secrets removed (but not from a child's own bindings). */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const diskFull = new DiskFullLines();
  return pino(
    {
      level,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      base: { pid: process.pid },
      formatters: { level: (label) => ({ level: label }), log: redactFields },
      serializers: { err: (error) => error },
      hooks: {
        logMethod([first, ...rest], method) {
          const fullDisk = diskFull.judge([first, ...rest]);
          if (fullDisk === 'repeated') return;
          if (fullDisk)
            return this.error(
              fullDisk,
              'There is no space left for the database: what is not written yet waits until space is freed',
            );
          const named: unknown[] =
            (first as unknown) instanceof Error ? [{ err: first }, rest.shift() ?? errorMessage(first)] : [first];
          method.apply(
            this,
            [...named, ...rest].map((part) => (typeof part === 'string' ? redact(part) : part)) as [string],
          );
        },
      },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/** The process's log. */
export const log: Logger = createLog(env.logLevel);
