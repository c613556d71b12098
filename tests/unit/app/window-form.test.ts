import { describe, expect, test } from 'vitest';
import {
  previewTimes,
  toWindowFields,
  type WindowFields,
  windowFieldOf,
  windowForm,
  withSeconds,
} from '@/app/(dashboard)/(team)/maintenance/_components/window-fields';
import type { MaintenanceWindow } from '@/server/maintenance/schema';

const now = Date.parse('2026-10-20T10:20:00Z');
const filled = (changes: Partial<WindowFields> = {}): WindowFields => {
  return { ...toWindowFields(undefined, 'Europe/Berlin', now), title: 'Upgrade', isAll: true, ...changes };
};

/** The messages by field; null if the form is valid. */
function findErrors(fields: WindowFields) {
  const { error } = windowForm.safeParse(fields);
  return error ? Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])) : null;
}

const stored: MaintenanceWindow = {
  id: '01KACV6T3QZ8',
  teamId: '01KACV6T3QZ9',
  title: 'Upgrade',
  description: null,
  startsAt: '2026-10-20T11:00:12.345Z',
  endsAt: '2026-10-20T12:00:00.000Z',
  recurrence: 'FREQ=WEEKLY;BYDAY=MO,FR',
  timezone: 'Europe/Berlin',
  monitorIds: ['one'],
  tags: ['payouts'],
  checks: 'pause',
  isAnnounced: false,
  announceHours: null,
  notifiesChannels: true,
  externalId: null,
  next: null,
  skipped: [],
  createdAt: '2026-10-19T00:00:00.000Z',
  updatedAt: '2026-10-19T00:00:00.000Z',
};

describe('maintenance form and the schema of the API', () => {
  test('starts with an hour from the next full hour', () => {
    expect(filled()).toMatchObject({ startsAt: '2026-10-20T13:00', endsAt: '2026-10-20T14:00', announceHours: '72' });
    expect(windowForm.parse(filled())).toMatchObject({
      startsAt: '2026-10-20T11:00:00.000Z',
      endsAt: '2026-10-20T12:00:00.000Z',
      recurrence: null,
      description: null,
      monitorIds: null,
      announceHours: 72,
    });
  });

  test('shows every error at its field', () => {
    expect(findErrors(filled({ title: ' ', startsAt: '', endsAt: '', isAll: false }))).toEqual({
      title: 'Enter a title.',
      startsAt: 'Enter a start time.',
      endsAt: 'Enter an end time.',
      monitorIds: 'Select at least one monitor or tag.',
    });
    expect(findErrors(filled({ endsAt: '2026-10-20T13:00', repeats: 'custom', rule: 'daily' }))).toEqual({
      endsAt: 'The end must be after the start.',
      rule: 'Enter a rule such as FREQ=MONTHLY;BYDAY=-1FR.',
    });
    expect(findErrors(filled({ endsAt: '' }))).toEqual({ endsAt: 'Enter an end time.' });
    expect(findErrors(filled({ endsAt: '2026-12-20T13:00', repeats: 'daily' }))).toEqual({
      endsAt: 'A maintenance window that repeats can last at most 31 days.',
    });
  });

  test('takes an end in the repeated hour of autumn as the one after the start', () => {
    const { startsAt, endsAt } = windowForm.parse(filled({ startsAt: '2026-10-25T02:30', endsAt: '2026-10-25T02:15' }));
    expect([startsAt, endsAt]).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:15:00.000Z']);
  });

  test('restores a window unchanged, to the millisecond', () => {
    const input = windowForm.parse(toWindowFields(stored, 'UTC', now));
    const {
      id: _id,
      teamId: _team,
      externalId: _externalId,
      next: _next,
      skipped: _skipped,
      createdAt: _at,
      updatedAt: _then,
      ...own
    } = stored;
    expect(withSeconds(input, stored)).toEqual(own);
  });

  test('previews complete times only', () => {
    expect(previewTimes(filled({ repeats: 'weekly', days: ['MO', 'FR'] }))).toEqual({
      startsAt: '2026-10-20T11:00:00.000Z',
      endsAt: '2026-10-20T12:00:00.000Z',
      timezone: 'Europe/Berlin',
      recurrence: 'FREQ=WEEKLY;BYDAY=MO,FR',
    });
    for (const wrong of [{ endsAt: '' }, { endsAt: '2026-10-20T12:00' }, { repeats: 'custom', rule: 'x' }] as const) {
      expect(previewTimes(filled(wrong))).toBeNull();
    }
  });

  test.each([
    ['recurrence', 'rule'],
    ['monitorIds.0', 'monitorIds'],
    ['title', 'title'],
  ])('maps an issue at %s to the field %s', (path, field) => {
    expect(windowFieldOf(path)).toBe(field);
  });
});
