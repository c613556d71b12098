import { expect, it } from 'vitest';
import { parseEnv } from '@/server/platform/env';

it.each([
  ['', []],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['192.0.2.1', ['192.0.2.1/32']],
  ['2001:DB8::1 , 10.0.0.0/8', ['2001:db8::1/128', '10.0.0.0/8']],
  ['loopback,127.0.0.0/8', ['127.0.0.0/8', '::1/128']],
  ['::ffff:192.0.2.1', ['192.0.2.1/32']],
  ['::ffff:10.0.0.0/104', ['10.0.0.0/8']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])('parses TRUSTED_PROXIES=%s', (TRUSTED_PROXIES, ranges) => {
  expect(parseEnv({ TRUSTED_PROXIES }).trustedProxies).toEqual(ranges);
});

it.each([
  'nginx',
  'true',
  '*',
  '1',
  '127.1',
  '0x7f.0.0.1',
  '192.0.2.256',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/08',
  '10.0.0.0/8/8',
  '::1/129',
  'fe80::1%eth0',
  '::ffff:10.0.0.0/8',
  'loopback,',
  'loopback private',
  'Loopback',
  '192.0.2.1:80',
])('rejects TRUSTED_PROXIES=%s', (TRUSTED_PROXIES) => {
  expect(() => parseEnv({ TRUSTED_PROXIES })).toThrow(
    'TRUSTED_PROXIES must be addresses, ranges such as 10.0.0.0/8, loopback or private, separated by commas.',
  );
});
