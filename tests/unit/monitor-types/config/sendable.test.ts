import { describe, expect, it } from 'vitest';
import { HttpConfig, WebSocketConfig } from '@/server/monitor-types/schema';

const bearer = (token: string) =>
  HttpConfig.safeParse({ url: 'https://example.test/', auth: { kind: 'bearer', token } }).success;

describe('bearer token schema', () => {
  it.each(['abc.DEF-123_~+/=', '!"#$%&', '••••cdef', '••••'])('accepts %j', (token) => {
    expect(bearer(token)).toBe(true);
  });

  it.each(['', 'geheim-€', 'naïve', 'a b', 'a\nb', 'a\u0000', '•••a', 'x••••cdef'])('rejects %j', (token) => {
    expect(bearer(token)).toBe(false);
  });
});

describe('header value schema', () => {
  const header = (name: string, value: string) =>
    HttpConfig.safeParse({ url: 'https://example.test/', headers: { [name]: value } }).success;

  it.each([
    ['X-Tenant', 'café'],
    ['X-Tenant', '••••'],
    ['X-Api-Key', '••••'],
    ['X-Api-Key', '••••cdef'],
  ])('accepts for %s the value %j', (name, value) => {
    expect(header(name, value)).toBe(true);
  });

  // Only a credential's mask ends with its last characters. Elsewhere this is not a mask, and no request could contain it.
  it.each([
    ['X-Tenant', '••••cdef'],
    ['Host', '••••a'],
    ['Accept', '••••'],
    ['X-Api-Key', 'x••••'],
  ])('rejects for %s the value %j', (name, value) => {
    expect(header(name, value)).toBe(false);
  });
});

describe('header name schema', () => {
  it.each(['X Tenant', 'X-Tenant:', '', 'x'.repeat(129)])(
    'rejects %j with a message that names the problem',
    (name) => {
      const { error } = HttpConfig.safeParse({ url: 'https://example.test/', headers: { [name]: 'a' } });
      expect(error?.issues).toMatchObject([{ path: ['headers', name], message: 'Enter a valid header name.' }]);
    },
  );
});

describe('WebSocket subprotocol schema', () => {
  const parse = (value: string, name = 'sec-websocket-protocol') =>
    WebSocketConfig.safeParse({ url: 'wss://example.test/', headers: { [name]: value } });

  it.each(['chat', 'chat, superchat', 'v1.chat,  v2.chat', ''])('accepts %j', (value) => {
    expect(parse(value).success).toBe(true);
  });

  it.each([
    ['a, a', 'Enter each subprotocol once.'],
    ['a b a', 'Enter each subprotocol once.'],
    ['a;b', 'Enter subprotocols as tokens, separated by commas.'],
    ['"a"', 'Enter subprotocols as tokens, separated by commas.'],
  ])('rejects %j', (value, message) => {
    for (const name of ['sec-websocket-protocol', 'Sec-WebSocket-Protocol']) {
      expect(parse(value, name).error?.issues).toMatchObject([{ path: ['headers', name], message }]);
    }
  });
});
