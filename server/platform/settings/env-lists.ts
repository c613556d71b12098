import { z } from 'zod';
import { parseServerAddress } from '../net/dns/server-address';
import { toRanges } from './trusted-proxies';

/** The schema of a list of host:port, separated by commas, with IPv6 addresses in brackets. `off` is the empty list, `preset` the default. */
export function canaries(preset: string) {
  const error = 'must be host:port, separated by commas, or off';
  return z
    .string()
    .default(preset)
    .transform((list) => (list === 'off' ? [] : list.split(',').map((item) => item.trim())))
    .refine((items) => items.every((item) => /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/.test(item)), { error })
    .transform((items) =>
      items.map((item) => {
        const end = item.lastIndexOf(':');
        return { host: item.slice(0, end).replace(/^\[|\]$/g, ''), port: Number(item.slice(end + 1)) };
      }),
    )
    .refine((items) => items.every(({ port }) => port >= 1 && port <= 65_535), { error });
}

/** The schema of a list of addresses, CIDR ranges and named ranges, separated by commas. Its output is CIDR ranges. */
export const proxies = () =>
  z
    .string()
    .default('')
    .transform((list) => (list === '' ? [] : list.split(',').map((item) => toRanges(item.trim()))))
    .refine((items): items is string[][] => !items.includes(null), {
      error: 'must be addresses, ranges such as 10.0.0.0/8, loopback or private, separated by commas',
    })
    .transform((items) => [...new Set(items.flat())]);

/** The schema of a list of IP addresses of name servers, each with :port if it is not 53, separated by commas. */
export const nameServers = () =>
  z
    .string()
    .default('')
    .transform((list) => (list === '' ? [] : list.split(',').map((item) => item.trim())))
    .refine((items) => items.every((item) => parseServerAddress(item) !== null), {
      error: 'must be IP addresses of name servers, such as 192.0.2.53 or [2001:db8::53]:5353, separated by commas',
    });
