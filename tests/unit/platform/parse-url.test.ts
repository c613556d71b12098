import { expect, it } from 'vitest';
import { CreateMonitorInput } from '@/server/monitor-types/schema';
import { CreateChannelInput } from '@/server/notifications/schema';
import { canParseUrl } from '@/server/platform/schema';

/** So many different characters, each of which the conversion to Punycode inserts before the others. */
const ideographs = (count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000))).join('');

const took = (work: () => unknown) => {
  const began = performance.now();
  work();
  return performance.now() - began;
};

it.each([
  'https://example.com/a?b#c',
  'https://bücher.example/ö',
  `https://example.com/?x=${'a'.repeat(8_000)}`,
  'mailto:robin@example.com',
])('accepts %.40s', (text) => {
  expect(canParseUrl(text)).toBe(true);
});

it('accepts an international name however often it is asked', () => {
  const refused = Array.from({ length: 20_000 }, () => canParseUrl('https://bücher.example/ö')).filter(
    (isUrl) => !isUrl,
  );
  expect(refused).toEqual([]);
});

it.each(['/next', '?page=2', '../up', '//other.example/x', `/${'a'.repeat(8_000)}`])(
  'accepts %.20s relative to another',
  (text) => {
    expect(canParseUrl(text, 'https://example.com/')).toBe(true);
  },
);

it.each([
  ['a long international name', `http://${ideographs(2_100)}`],
  ['a long escaped name', `http://${encodeURIComponent(ideographs(300))}/`],
  ['a long name without slashes', `http:${ideographs(2_100)}`],
  ['a long name behind backslashes', `/\\${ideographs(2_100)}`],
  ['a long name in a relative address', `//${ideographs(2_100)}/`],
  ['a long text', `https://example.com/${'a'.repeat(9_000)}`],
])('refuses %s without parsing it', (_name, text) => {
  expect(canParseUrl(text, 'https://example.com/')).toBe(false);
});

it('refuses an address of a request body in bounded time', () => {
  const url = `http://${ideographs(100_000)}`;
  const plain = `http://${'a'.repeat(100_000)}`;
  const monitor = (address: string) =>
    CreateMonitorInput.safeParse({ type: 'http', name: 'x', config: { url: address } });
  const channel = (address: string) =>
    CreateChannelInput.safeParse({ type: 'webhook', name: 'x', config: { url: address } });
  expect([monitor(url).success, channel(url).success]).toEqual([false, false]);
  // The conversion takes seconds, a hundred times as long.
  expect(took(() => [monitor(url), channel(url)])).toBeLessThan(
    500 + 10 * took(() => [monitor(plain), channel(plain)]),
  );
});
