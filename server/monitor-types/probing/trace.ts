import { MASK } from '@/server/platform/secrets';

/** The duration of each phase in milliseconds, summed over redirects. A phase that did not happen is null. */
export interface Timings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  downloadMs: number | null;
}

/** A connection that was opened or refused. */
export interface SeenConnection {
  address: string;
  port: number | null;
  /** The error's code; null if it opened. */
  error: string | null;
}

/** One request or command, and the part of the response that arrived. */
export interface Exchange {
  /** The first line as sent, without secrets; null if nothing was sent. */
  line: string | null;
  headers: Record<string, string>;
  /** Headers are names and values in turn, unchanged. */
  response: { line: string; headers: string[] } | null;
  /** Lines of text, or raw bytes. */
  body: Uint8Array | string[] | null;
  /** Whether there was more data. */
  isTruncated: boolean;
  /** The size of the body, if only its start was kept. */
  bytes?: number;
  /** The step that it belongs to, from 0. */
  step?: number;
}

/** A step of a check, as far as it went. */
export interface SeenStep {
  name: string;
  statusCode: number | null;
  /** Null if the check ended before this step. */
  latencyMs: number | null;
  timings: Timings;
  /** Whether it passed; null if the check ended before it. */
  isMet: boolean | null;
}

/**
 * The network trace of a check, including failed ones. Only holds references to existing data; `toAttempt` turns it into evidence for the few
 * checks that a verdict counts.
 */
export interface Trace {
  /** The addresses from the last name resolution. */
  addresses: readonly { address: string }[];
  connections: SeenConnection[];
  exchanges: Exchange[];
  /** SHA-256 of the certificate, as hexadecimal pairs. */
  fingerprint: string | null;
  /** The steps of a check that has several. */
  steps?: SeenStep[];
  /** Values of responses that later requests send, such as access tokens and cookies. */
  secrets?: string[];
}

export const newTrace = (): Trace => ({ addresses: [], connections: [], exchanges: [], fingerprint: null });

/** Returns the connections that a network error is about: several if several addresses were tried. */
export function refusedIn(error: unknown): SeenConnection[] {
  if (error instanceof AggregateError) return error.errors.flatMap(refusedIn);
  const { address, port, code } = (error ?? {}) as { address?: unknown; port?: unknown; code?: unknown };
  if (!(error instanceof Error) || typeof address !== 'string') return [];
  return [{ address, port: typeof port === 'number' ? port : null, error: String(code ?? error.message) }];
}

/** Returns a request line (RFC 9112 §3) without its query, which may contain secrets. */
export function requestLine({ method, url }: { method: string; url: URL }): string {
  return `${method} ${url.pathname}${url.search ? `?${MASK}` : ''} HTTP/1.1`;
}
