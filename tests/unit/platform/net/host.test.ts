import { describe, expect, it, vi } from 'vitest';

/** The host rules of a process whose ALLOW_PRIVATE_TARGETS is `allowed`; if unset, private targets are refused. */
async function strictNet(allowed = '') {
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', allowed);
  vi.resetModules();
  return import('@/server/platform/net');
}

describe('normalizeHost', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['under_score.example', 'under_score.example'],
    ['127.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['127。0。0。1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::FFFF:127.0.0.1', '::ffff:7f00:1'],
    ['FE80::1%eth0', 'fe80::1%eth0'],
  ])('normalizes %s to %s', async (host, expected) => {
    const { normalizeHost } = await strictNet();
    expect(normalizeHost(host)).toBe(expected);
  });

  it.each([
    '',
    '.',
    'a..b',
    'a b',
    'user@host',
    'host:80',
    'host/path',
    'host?x',
    'host#x',
    'a\\b',
    'a%2eb',
    '256.256.256.256',
    '1.2.3.4.5',
    '[::1',
    ':::',
    `${'a'.repeat(64)}.example`,
    Array.from({ length: 130 }, () => 'a').join('.'),
  ])('rejects "%s"', async (host) => {
    const { normalizeHost, InvalidTargetError } = await strictNet();
    expect(() => normalizeHost(host)).toThrow(InvalidTargetError);
  });
});

describe('assertAllowedHost', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.1',
    '0',
    '[::1]',
    '::ffff:7f00:1',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    'fd00:ec2::254',
    '10.1.2.3',
    'localhost',
    'LOCALHOST.',
    'app.localhost',
  ])('rejects %s', async (host) => {
    const { assertAllowedHost, BlockedTargetError } = await strictNet();
    expect(() => assertAllowedHost(host)).toThrow(BlockedTargetError);
  });

  it.each(['http://127.1/', 'http://0x7f.1/', 'http://2130706433/', 'http://[::ffff:7f00:1]/', 'http://localhost./'])(
    'rejects the host of %s',
    async (url) => {
      const { assertAllowedHost, BlockedTargetError } = await strictNet();
      expect(() => assertAllowedHost(new URL(url).hostname)).toThrow(BlockedTargetError);
    },
  );

  it.each(['example.com', '8.8.8.8', '[2606:4700:4700::1111]', 'localhost.example'])('accepts %s', async (host) => {
    const { assertAllowedHost } = await strictNet();
    expect(() => assertAllowedHost(host)).not.toThrow();
  });

  it('accepts everything if private targets are allowed', async () => {
    const { assertAllowedHost } = await strictNet('true');
    expect(() => assertAllowedHost('127.0.0.1')).not.toThrow();
    expect(() => assertAllowedHost('localhost')).not.toThrow();
  });
});

it.each([0, -1, 65_536, 1.5, Number.NaN])('rejects the port %s', async (port) => {
  const { assertPort, InvalidTargetError } = await strictNet();
  expect(() => assertPort(port)).toThrow(InvalidTargetError);
});
