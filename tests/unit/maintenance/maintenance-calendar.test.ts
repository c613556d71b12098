import { describe, expect, it } from 'vitest';
import { mostRelevant, scopeNamer } from '@/server/maintenance/maintenance-calendar';
import { HOUR_MS } from '@/server/time/schema';

describe('mostRelevant', () => {
  const NOW = Date.parse('2026-11-23T10:00:00Z');
  /** An event of an hour that starts so many hours from now. */
  const event = (hours: number) => {
    const [startsAt, endsAt] = [hours, hours + 1].map((each) => new Date(NOW + each * HOUR_MS).toISOString());
    const about = { createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z', title: '', url: '' };
    return { id: String(hours), startsAt: startsAt ?? '', endsAt: endsAt ?? '', ...about };
  };
  const hoursFrom = (first: number, count: number) => Array.from({ length: count }, (_value, index) => first + index);
  const kept = (hours: number[]) => mostRelevant(hours.map(event), new Date(NOW)).map(({ id }) => Number(id));

  it('keeps all events in order if there is room', () => {
    expect(kept([3, -5, 0])).toEqual([-5, 0, 3]);
  });

  it('keeps what is running and to come, and of the past the latest', () => {
    expect(kept(hoursFrom(-2_500, 3_000))).toEqual(hoursFrom(-1_500, 2_000));
  });

  it('keeps the next events and nothing of the past if more are to come than there is room for', () => {
    expect(kept(hoursFrom(-10, 3_000))).toEqual(hoursFrom(0, 2_000));
  });
});

describe('scopeNamer', () => {
  const monitors = Array.from({ length: 60 }, (_value, index) => ({
    id: `m${index}`,
    name: `Monitor ${index}`,
    tags: [...(index % 2 === 0 ? ['even'] : []), ...(index < 3 ? ['first'] : [])],
  }));
  const names = (...indexes: number[]) => indexes.map((index) => `Monitor ${index}`).join(', ');
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
      const scope = { allMonitors, monitors: ids.map((monitorId) => ({ monitorId })), tags };
      expect(scopeNamer(monitors)(scope)).toBe(expected);
    },
  );
});
