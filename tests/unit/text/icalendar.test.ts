import { describe, expect, it } from 'vitest';
import { mostRelevant, occurrenceId, toCalendar } from '@/server/text/icalendar';
import { HOUR_MS } from '@/server/time/schema';

const at = '2026-11-20T03:00:00.000Z';

it('writes every kind of line break as an escaped one, so that no text ends its line', () => {
  const event = {
    id: 'a',
    startsAt: at,
    endsAt: at,
    createdAt: at,
    updatedAt: at,
    sequence: 0,
    url: 'https://status.example.com',
  };
  const text = toCalendar({ kind: 'Maintenance', name: 'Team' }, [{ ...event, title: 'a\u2028b\u2029c\r\nd\ne' }]);
  expect(text).toContain('SUMMARY:a\\nb\\nc\\nd\\ne\r\n');
});

it('gives two occurrences that start in one minute different IDs', () => {
  expect(occurrenceId('a', at)).toBe('a-20261120T0300');
  expect(occurrenceId('a', '2026-11-20T03:00:10.000Z')).not.toBe(occurrenceId('a', '2026-11-20T03:00:40.000Z'));
});

describe('toCalendar', () => {
  const events = (count: number, texts: { title: string; description: string }) =>
    Array.from({ length: count }, (_value, index) => ({
      id: `01KANZBS6T8V0W2X4Y6Z8A0B2C-20261120T${index}`,
      startsAt: at,
      endsAt: '2026-11-20T04:00:00.000Z',
      createdAt: at,
      updatedAt: at,
      sequence: 0,
      url: 'https://status.example.com/maintenance/01KANZBS6T8V0W2X4Y6Z8A0B2C',
      ...texts,
    }));
  const unfolded = (text: string) => text.replaceAll('\r\n ', '');

  it.each([
    ['ASCII', 'x'],
    ['four bytes', '🚧'],
    ['escapes', ','],
    ['line breaks', '\n'],
  ])('has 2,000 events with the longest texts of %s in at most 1 MiB', (_name, character) => {
    const texts = { title: character.repeat(200), description: character.repeat(4_000) };
    const text = toCalendar({ kind: 'Maintenance', name: 'Team' }, events(2_000, texts));
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
    expect(unfolded(text)).toContain('…\r\n');
    expect(text).not.toContain('\uFFFD');
  });

  it('shortens the long texts, and leaves the short ones as they are', () => {
    const all = [
      ...events(1_000, { title: 'Router', description: 'Rack 7' }),
      ...events(1_000, { title: 'Move', description: 'x'.repeat(4_000) }),
    ];
    const text = unfolded(toCalendar({ kind: 'Maintenance', name: 'Team' }, all));
    expect(text.match(/DESCRIPTION:Rack 7\r\n/g)).toHaveLength(1_000);
    expect(text.match(/DESCRIPTION:x{128,}…\r\n/g)).toHaveLength(1_000);
  });
});

describe('mostRelevant', () => {
  const NOW = Date.parse('2026-11-23T10:00:00Z');
  /** An event of an hour that starts so many hours from now. */
  const event = (hours: number) => {
    const at = (each: number) => new Date(NOW + each * HOUR_MS);
    return { hours, startsAt: at(hours), endsAt: at(hours + 1) };
  };
  const hoursFrom = (first: number, count: number) => Array.from({ length: count }, (_value, index) => first + index);
  const kept = (hours: number[]) => mostRelevant(hours.map(event), new Date(NOW)).map((each) => each.hours);

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
