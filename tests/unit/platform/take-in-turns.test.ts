import { describe, expect, it } from 'vitest';
import { takeInTurns } from '@/server/platform/take-in-turns';

const take = (items: string, count: number) => takeInTurns(items, (item) => item.toLowerCase(), count).join('');

describe('takeInTurns', () => {
  it('alternates between groups', () => {
    expect(take('aaaaaab', 3)).toBe('aba');
    expect(take('aaaabbc', 5)).toBe('abcab');
  });

  it('keeps the order of groups and within a group', () => {
    expect(take('bBaA', 4)).toBe('baBA');
  });

  it('returns everything if there are fewer items than requested', () => {
    expect(take('aab', 10)).toBe('aba');
    expect(take('', 10)).toBe('');
  });
});
