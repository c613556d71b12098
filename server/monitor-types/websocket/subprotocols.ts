export const SUBPROTOCOLS = 'sec-websocket-protocol';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Returns the subprotocols that a header value offers (RFC 6455 §4.1), each once; null if one of them is not a token. */
export function readSubprotocols(value: string): string[] | null {
  const names = value.split(/[\s,]+/).filter((name) => name !== '');
  return names.every((name) => token.test(name)) ? [...new Set(names)] : null;
}
