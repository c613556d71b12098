import {
  BlockedTargetError,
  DnsError,
  FloodError,
  InternalNameError,
  InvalidTargetError,
  NetworkTimeoutError,
} from './errors';

const ONLY_HTTP2 = 'The server does not support HTTP/1.1, which Upwatch uses; it may support HTTP/2 only';

const IN_WORDS: Record<string, string> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'The connection was closed before the response was complete',
  ECONNABORTED: 'The connection was closed before the response was complete',
  EPIPE: 'The connection was closed while sending',
  ETIMEDOUT: 'The connection timed out',
  EHOSTUNREACH: 'No route to the host',
  EHOSTDOWN: 'No route to the host',
  ENETUNREACH: 'The network is unreachable',
  ENETDOWN: 'The network is unreachable',
  EADDRNOTAVAIL: 'This machine cannot reach the address',
  EACCES: 'This machine cannot reach the address',
  EMFILE: 'Upwatch has too many connections open',
  ENFILE: 'Upwatch has too many connections open',
  ENOTFOUND: 'The address did not resolve',
  ENODATA: 'The address did not resolve',
  EAI_AGAIN: 'The name server did not respond',
  ABORT_ERR: 'Aborted before a response arrived',
  HPE_HEADER_OVERFLOW: 'The response headers are too large',
  ERR_INVALID_CHAR: 'A header contains characters that HTTP does not allow',
  ERR_INVALID_HTTP_TOKEN: 'The method or a header contains characters that HTTP does not allow',
  ERR_INVALID_URL: 'The address is not a valid URL',
  EPROTO: 'The TLS handshake failed; the port may not support TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The port does not support TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'The port does not support TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'The server and Upwatch support no common TLS version',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The server and Upwatch support no common TLS version',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: ONLY_HTTP2,
  CERT_NOT_PINNED: 'Certificate does not have the pinned fingerprint',
  CERT_HAS_EXPIRED: 'Certificate expired',
  CERT_NOT_YET_VALID: 'Certificate not valid yet',
  ERROR_IN_CERT_NOT_BEFORE_FIELD: 'Certificate has a start date that cannot be read',
  ERROR_IN_CERT_NOT_AFTER_FIELD: 'Certificate has an end date that cannot be read',
  CERT_REVOKED: 'Certificate revoked',
  CERT_UNTRUSTED: 'Certificate issuer is not trusted',
  CERT_SIGNATURE_FAILURE: 'Certificate signature is wrong',
  CERT_CHAIN_TOO_LONG: 'Certificate chain is too long',
  INVALID_CA: 'Certificate issuer may not issue certificates',
  INVALID_PURPOSE: 'Certificate is not meant for servers',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'Certificate issuer is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'Certificate chain is incomplete or its issuer is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Certificate chain is incomplete or its issuer is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Certificate chain is incomplete or its issuer is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Certificate is for another name',
  HOSTNAME_MISMATCH: 'Certificate is for another name',
};

/** Errors whose message is already readable. */
const SPOKEN = [BlockedTargetError, DnsError, FloodError, InternalNameError, InvalidTargetError, NetworkTimeoutError];

/** Codes that mean that this machine has no route. If several addresses failed, the others are more specific. */
const OWN_NETWORK = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTUNREACH']);

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function inWords(code: string): string | undefined {
  if (IN_WORDS[code]) return IN_WORDS[code];
  if (code.startsWith('HPE_')) return 'The response is not valid HTTP';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'The TLS handshake failed';
  if (code.startsWith('CERT_')) return 'Certificate is not valid';
  return undefined;
}

/** The type of a SETTINGS frame, with which every HTTP/2 server begins (RFC 9113 §3.4). */
const SETTINGS = 4;

/** Whether the HTTP/1.1 parser failed at the first frame of an HTTP/2 server: 3 bytes of length, its type, flags, stream 0. */
function isHttp2(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('rawPacket' in error)) return false;
  const { rawPacket } = error;
  return rawPacket instanceof Uint8Array && rawPacket[3] === SETTINGS && rawPacket[0] === 0 && rawPacket.length >= 9;
}

/**
 * Returns a network error as text for users: no stack, no internals, no full stop. Unwraps `AggregateError` (several addresses were tried) and
 * `cause`.
 */
export function describeNetworkError(error: unknown): string {
  if (error instanceof Error && SPOKEN.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return describeNetworkError(error.errors.find((each) => !OWN_NETWORK.has(codeOf(each))) ?? error.errors[0]);
  }
  const code = codeOf(error);
  const words = isHttp2(error) ? ONLY_HTTP2 : inWords(code);
  if (words) return words;
  if (error instanceof Error) {
    if (error.name === 'TimeoutError') return 'No response in time';
    if (error.name === 'AbortError') return 'Aborted before a response arrived';
    if (error.cause !== undefined && error.cause !== error) return describeNetworkError(error.cause);
  }
  return /^[A-Z][A-Z0-9_]+$/.test(code) ? `The connection failed (${code})` : 'The connection failed';
}
