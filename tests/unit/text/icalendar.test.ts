import { expect, it } from 'vitest';
import { occurrenceId, toCalendar } from '@/server/text/icalendar';

const at = '2026-11-20T03:00:00.000Z';

it('writes every kind of line break as an escaped one, so that no text ends its line', () => {
  const event = { id: 'a', startsAt: at, endsAt: at, createdAt: at, updatedAt: at, url: 'https://status.example.com' };
  const text = toCalendar({ kind: 'Maintenance', name: 'Team' }, [{ ...event, title: 'a\u2028b\u2029c\r\nd\ne' }]);
  expect(text).toContain('SUMMARY:a\\nb\\nc\\nd\\ne\r\n');
});

it('gives two occurrences that start in one minute different IDs', () => {
  expect(occurrenceId('a', at)).toBe('a-20261120T0300');
  expect(occurrenceId('a', '2026-11-20T03:00:10.000Z')).not.toBe(occurrenceId('a', '2026-11-20T03:00:40.000Z'));
});
