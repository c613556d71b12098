import { describe, expect, it } from 'vitest';
import { BlockedTargetError, DnsError, describeNetworkError, NetworkTimeoutError } from '@/server/platform/net';

const coded = (code: string, message = 'internal text 10.0.0.1:5432') => Object.assign(new Error(message), { code });

describe('describeNetworkError', () => {
  it.each([
    ['ECONNREFUSED', 'Connection refused'],
    ['ENOTFOUND', 'The address did not resolve'],
    ['EAI_AGAIN', 'The name server did not respond'],
    ['ECONNRESET', 'The connection was closed before the response was complete'],
    ['CERT_HAS_EXPIRED', 'Certificate expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'Certificate is self-signed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Certificate is for another name'],
    ['CERT_SOMETHING_NEW', 'Certificate is not valid'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'The TLS handshake failed'],
    ['HPE_INVALID_CONSTANT', 'The response is not valid HTTP'],
    ['EWHATEVER', 'The connection failed (EWHATEVER)'],
    ['not a code <b>', 'The connection failed'],
  ])('describes %s in words', (code, words) => {
    expect(describeNetworkError(coded(code))).toBe(words);
  });

  it.each([
    [new NetworkTimeoutError(10_000), 'No response within 10 s'],
    [new NetworkTimeoutError(1_500), 'No response within 1.5 s'],
    [new NetworkTimeoutError(10_000, true), 'The response did not end within 10 s'],
    [new DnsError('ENOTFOUND', 'The address did not resolve over IPv6'), 'The address did not resolve over IPv6'],
    [
      new BlockedTargetError('10.0.0.1'),
      'The address is private or reserved. This instance does not connect to such addresses',
    ],
    [AbortSignal.timeout(0).reason ?? new DOMException('', 'TimeoutError'), 'No response in time'],
    [AbortSignal.abort().reason, 'Aborted before a response arrived'],
  ])('describes the system error %s in words', (error, words) => {
    expect(describeNetworkError(error)).toBe(words);
  });

  it('unwraps causes', () => {
    expect(describeNetworkError(new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }))).toBe(
      'Connection refused',
    );
  });

  it("reports, of several addresses, the server's response rather than a missing address family", () => {
    const several = new AggregateError([coded('ENETUNREACH'), coded('ECONNREFUSED')]);
    expect(describeNetworkError(Object.assign(several, { code: 'ENETUNREACH' }))).toBe('Connection refused');
    expect(describeNetworkError(new AggregateError([coded('ENETUNREACH')]))).toBe('The network is unreachable');
  });

  it.each([undefined, null, 'text', 7, {}, new Error('secret text')])('reveals nothing internal for %s', (error) => {
    expect(describeNetworkError(error)).toBe('The connection failed');
  });
});
