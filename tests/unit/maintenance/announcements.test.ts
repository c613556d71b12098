import { describe, expect, it } from 'vitest';
import { type Announced, decideAnnouncements } from '@/server/maintenance/announcements';
import type { Times } from '@/server/maintenance/recurrence/recurrence';

const at = (time: string) => new Date(`2026-11-${time}Z`);
const daily: Times = { startsAt: at('01T10:00'), endsAt: at('01T11:00'), recurrence: 'FREQ=DAILY', timezone: 'UTC' };
const once: Times = { ...daily, recurrence: null };
const announcedAs = (kind: Announced['kind'], startsAt: string, endsAt: string): Announced => {
  return { kind, startsAt: at(startsAt), endsAt: at(endsAt), cancelled: [] };
};

describe('decideAnnouncements', () => {
  it.each<[string, Times | null, number | null, Announced | null, string, string[], string | null]>([
    ['waits for the lead time', once, 24, null, '01T09:00', ['upcoming 01T10:00'], '01T10:00'],
    ['announces it at once if it has no lead time', once, null, null, '01T01:00', ['upcoming 01T10:00'], '01T10:00'],
    ['says nothing ahead with a lead time of 0', once, 0, null, '01T09:00', [], '01T10:00'],
    [
      'announces a start',
      once,
      1,
      announcedAs('upcoming', '01T10:00', '01T11:00'),
      '01T10:00',
      ['started 01T10:00'],
      '01T11:00',
    ],
    ['announces a start once', once, 1, announcedAs('started', '01T10:00', '01T11:00'), '01T10:30', [], '01T11:00'],
    ['announces an end', once, 1, announcedAs('started', '01T10:00', '01T11:00'), '01T11:00', ['ended 01T11:00'], null],
    [
      'announces an end late',
      once,
      1,
      announcedAs('started', '01T10:00', '01T11:00'),
      '09T00:00',
      ['ended 01T11:00'],
      null,
    ],
    ['says nothing about an occurrence that it missed', once, 1, null, '01T12:00', [], null],
    [
      'announces the end of a deleted window',
      null,
      1,
      announcedAs('started', '01T10:00', '01T11:00'),
      '01T10:20',
      ['ended 01T10:20'],
      null,
    ],
    [
      'cancels what was announced of a deleted window that had not started',
      null,
      24,
      announcedAs('upcoming', '01T10:00', '01T11:00'),
      '01T09:00',
      ['cancelled 01T10:00'],
      null,
    ],
    ['says nothing about a deleted window that was not announced', null, 24, null, '01T09:00', [], null],
    [
      'cancels an occurrence that is skipped, and announces the next',
      { ...daily, skippedStarts: [at('02T10:00')] },
      null,
      announcedAs('upcoming', '02T10:00', '02T11:00'),
      '02T09:00',
      ['cancelled 02T10:00', 'upcoming 03T10:00'],
      '03T10:00',
    ],
    [
      'cancels the former time of a window that was moved',
      { ...once, startsAt: at('03T10:00'), endsAt: at('03T11:00') },
      null,
      announcedAs('upcoming', '01T10:00', '01T11:00'),
      '01T09:00',
      ['cancelled 01T10:00', 'upcoming 03T10:00'],
      '03T10:00',
    ],
    [
      'announces only the start of a window that was moved to now',
      { ...once, startsAt: at('01T08:00') },
      null,
      announcedAs('upcoming', '01T10:00', '01T11:00'),
      '01T09:00',
      ['started 01T08:00'],
      '01T11:00',
    ],
    [
      'announces the end of a window that was moved while it ran',
      { ...once, startsAt: at('03T10:00'), endsAt: at('03T11:00') },
      0,
      announcedAs('started', '01T10:00', '01T11:00'),
      '01T10:20',
      ['ended 01T10:20'],
      '03T10:00',
    ],
    [
      'goes on with the next occurrence',
      daily,
      2,
      announcedAs('started', '01T10:00', '01T11:00'),
      '02T09:00',
      ['ended 01T11:00', 'upcoming 02T10:00'],
      '02T10:00',
    ],
    [
      'says nothing more about an occurrence that is skipped, and goes on with the next',
      { ...daily, skippedStarts: [at('02T10:00')] },
      2,
      announcedAs('upcoming', '02T10:00', '02T11:00'),
      '02T10:30',
      [],
      '03T08:00',
    ],
    [
      'announces the next one in time after one was skipped',
      { ...daily, skippedStarts: [at('02T10:00')] },
      2,
      announcedAs('upcoming', '02T10:00', '02T11:00'),
      '03T08:00',
      ['upcoming 03T10:00'],
      '03T10:00',
    ],
  ])('%s', (_title, times, lead, announced, now, expected, nextAt) => {
    const decision = decideAnnouncements(times, lead, announced, at(now));
    const words = decision.announcements.map(({ kind, startsAt, endsAt }) => {
      return `${kind} ${(kind === 'ended' ? endsAt : startsAt).toISOString().slice(8, 16)}`;
    });
    expect(words).toEqual(expected);
    expect(decision.nextAt?.toISOString().slice(8, 16) ?? null).toBe(nextAt);
    const again = decideAnnouncements(times, lead, decision.announced, at(now));
    expect(again.announcements, 'the same moment again').toEqual([]);
  });

  it('announces an occurrence again that was skipped and is not any more', () => {
    const skipped = { ...daily, skippedStarts: [at('02T10:00')] };
    const first = decideAnnouncements(skipped, null, announcedAs('upcoming', '02T10:00', '02T11:00'), at('01T12:00'));
    const second = decideAnnouncements(daily, null, first.announced, at('01T12:05'));
    expect(second.announcements).toMatchObject([{ kind: 'upcoming', startsAt: at('02T10:00'), isAgain: true }]);
    expect(second.announced?.cancelled).toEqual([]);
    const third = decideAnnouncements(daily, null, second.announced, at('01T12:06'));
    expect(third.announcements).toEqual([]);
  });
});
