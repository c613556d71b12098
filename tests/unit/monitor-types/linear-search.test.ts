import { expect, it } from 'vitest';
import { Finder, includesText } from '@/server/monitor-types/linear-search';
import { random } from '@/tests/support/random';

/** Texts of few letters, in which a search often begins in vain. */
function texts(next: () => number): { text: string; wanted: string } {
  const make = (most: number) =>
    Array.from({ length: Math.floor(next() * most) }, () => (next() < 0.7 ? 'a' : 'b')).join('');
  return { text: make(60), wanted: make(9) };
}

it('finds what includes finds, however the text is divided', () => {
  const next = random(20_261_126);
  for (let round = 0; round < 5_000; round += 1) {
    const { text, wanted } = texts(next);
    const finder = new Finder(wanted);
    const cut = Math.floor(next() * text.length);
    const isFound = [text.slice(0, cut), text.slice(cut)].map((part) => finder.feed(part)).at(-1);
    expect(isFound, `${wanted} in ${text}`).toBe(text.includes(wanted));
  }
});

it('takes time linear in texts that begin like the wanted one everywhere', () => {
  const half = 'a'.repeat(4_000);
  const began = process.cpuUsage();
  expect(includesText('a'.repeat(1024 * 1024), `${half}b${half}`)).toBe(false);
  expect(includesText(`${'a'.repeat(1024 * 1024)}b${half}`, `${half}b${half}`)).toBe(true);
  const { user } = process.cpuUsage(began);
  expect(user / 1_000).toBeLessThan(2_000);
});
