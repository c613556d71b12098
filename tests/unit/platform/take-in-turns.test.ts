import { describe, expect, it } from 'vitest';
import { takeInTurns } from '@/server/platform/take-in-turns';

const take = (items: string, count: number) => takeInTurns(items, (item) => item.toLowerCase(), count).join('');

describe('takeInTurns', () => {
  it('takes one of each group in turns', () => {
    expect(take('aaaaaab', 3)).toBe('aba');
    expect(take('aaaabbc', 5)).toBe('abcab');
  });

  it('keeps the order within a group, and that of groups', () => {
    expect(take('bBaA', 4)).toBe('baBA');
  });

  it('takes everything where there is less than asked for', () => {
    expect(take('aab', 10)).toBe('aba');
    expect(take('', 10)).toBe('');
  });
});
