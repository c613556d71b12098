import { describe, expect, it } from 'vitest';
import { scopeNamer } from '@/server/maintenance/maintenance-calendar';

describe('scopeNamer', () => {
  const monitors = Array.from({ length: 60 }, (_value, index) => ({
    id: `m${index}`,
    name: `Monitor ${String(index).padStart(2, '0')}`,
    tags: [...(index % 2 === 0 ? ['even'] : []), ...(index < 3 ? ['first'] : [])],
  }));
  const names = (...indexes: number[]) => indexes.map((index) => monitors[index]?.name).join(', ');
  const evens = (count: number) => Array.from({ length: count }, (_value, index) => 2 * index);

  it.each([
    ['all monitors', { allMonitors: true }, 'all'],
    ['none, for a tag without monitors', { tags: ['gone'] }, 'none'],
    [
      'each monitor once, by name, whether by its ID or a tag',
      { ids: ['m5', 'm1'], tags: ['first'] },
      names(0, 1, 2, 5),
    ],
    ['the first twenty of a tag', { tags: ['even'] }, `${names(...evens(20))}, and more`],
    [
      'the first of several tags together',
      { tags: ['even', 'first'] },
      `${names(0, 1, ...evens(19).slice(1))}, and more`,
    ],
    ['twenty without a remainder', { ids: monitors.slice(0, 20).map(({ id }) => id) }, names(...Array(20).keys())],
  ])(
    'names %s',
    (_name, {
      allMonitors = false,
      ids = [],
      tags = [],
    }: { allMonitors?: boolean; ids?: string[]; tags?: string[] }, expected) => {
      const scope = { allMonitors, named: monitors.filter(({ id }) => ids.includes(id)).reverse(), tags };
      expect(scopeNamer(monitors)(scope)).toBe(expected);
    },
  );
});
