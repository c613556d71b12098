import { MASK } from '@/server/platform/secrets';

/** A connection that was opened, or refused. */
export interface SeenConnection {
  address: string;
  port: number | null;
  /** The error's code; null if it opened. */
  error: string | null;
}

/** One request or command, and what came back as far as it did. */
export interface Exchange {
  /** The first line as sent, without secrets; null if nothing was sent. */
  line: string | null;
  headers: Record<string, string>;
  /** Its headers are names and values in turn, as they came. */
  response: { line: string; headers: string[] } | null;
  /** Lines of text, or the bytes that were read. */
  body: Uint8Array | string[] | null;
  /** The target had more to say. */
  isTruncated: boolean;
}

/**
 * What went over the network in a check, also in one that failed. It holds references to what the check has anyway; `toAttempt` makes evidence of it
 * for the few checks that count in a verdict.
 */
export interface Trace {
  /** What the host's name resolved to last. */
  addresses: readonly { address: string }[];
  connections: SeenConnection[];
  exchanges: Exchange[];
  /** SHA-256 of the certificate, as hexadecimal pairs. */
  fingerprint: string | null;
}

export const newTrace = (): Trace => ({ addresses: [], connections: [], exchanges: [], fingerprint: null });

/** The connections that an error of the network is about: several where each address was tried. */
export function refusedIn(error: unknown): SeenConnection[] {
  if (error instanceof AggregateError) return error.errors.flatMap(refusedIn);
  const { address, port, code } = (error ?? {}) as { address?: unknown; port?: unknown; code?: unknown };
  if (!(error instanceof Error) || typeof address !== 'string') return [];
  return [{ address, port: typeof port === 'number' ? port : null, error: String(code ?? error.message) }];
}

/** A request line (RFC 9112 §3) without its query, which may contain secrets. */
export function requestLine({ method, url }: { method: string; url: URL }): string {
  return `${method} ${url.pathname}${url.search ? `?${MASK}` : ''} HTTP/1.1`;
}
