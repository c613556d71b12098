import { afterEach, describe, expect, it, vi } from 'vitest';
import { momentsOf, toStretch } from '@/app/_components/time/local-time';
import { exclusionForm, suggestedStretch } from '@/app/(dashboard)/(team)/monitors/_components/detail/exclusion-form';

const BERLIN = 'Europe/Berlin';
const iso = (moments: Date[]) => moments.map((moment) => moment.toISOString().slice(0, 16));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe.each(['UTC', 'Europe/Berlin', 'America/New_York'])('momentsOf in a browser in %s', (browserZone) => {
  it.each([
    ['2026-11-22T09:00', BERLIN, ['2026-11-22T08:00']],
    ['2026-07-22T09:00', BERLIN, ['2026-07-22T07:00']],
    ['2026-10-25T02:30', BERLIN, ['2026-10-25T00:30', '2026-10-25T01:30']],
    ['2026-10-25T01:59', BERLIN, ['2026-10-24T23:59']],
    ['2026-10-25T03:00', BERLIN, ['2026-10-25T02:00']],
    ['2026-03-29T02:30', BERLIN, ['2026-03-29T01:30']],
    ['2026-11-01T01:30', 'America/New_York', ['2026-11-01T05:30', '2026-11-01T06:30']],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', ['2026-04-04T14:45', '2026-04-04T15:15']],
    ['2028-02-29T00:00', 'Asia/Kolkata', ['2028-02-28T18:30']],
    ['2026-12-31T23:59', 'Pacific/Kiritimati', ['2026-12-31T09:59']],
    ['', BERLIN, []],
    ['soon', BERLIN, []],
  ])('finds %j in %s', (local, timeZone, wanted) => {
    vi.stubEnv('TZ', browserZone);
    expect(iso(momentsOf(local, timeZone))).toEqual(wanted);
  });
});

describe('toStretch', () => {
  it.each([
    ['01:30', '02:30', '2026-10-24T23:30', '2026-10-25T00:30'],
    ['02:40', '02:10', '2026-10-25T00:40', '2026-10-25T01:10'],
    ['02:30', '02:30', '2026-10-25T00:30', '2026-10-25T01:30'],
    ['02:30', '03:00', '2026-10-25T00:30', '2026-10-25T02:00'],
    ['05:00', '04:00', '2026-10-25T04:00', '2026-10-25T03:00'],
  ])('reads %s to %s on a day with a repeated hour', (from, to, wantedFrom, wantedTo) => {
    const stretch = toStretch({ from: `2026-10-25T${from}`, to: `2026-10-25T${to}` }, BERLIN);
    expect(stretch && iso([stretch.from, stretch.to])).toEqual([wantedFrom, wantedTo]);
  });
});

describe('exclusionForm', () => {
  const messages = (from: string, to: string, timeZone = BERLIN) =>
    exclusionForm(timeZone)
      .safeParse({ from, to, reason: 'Fire drill' })
      .error?.issues.map(({ message }) => message) ?? [];

  it('validates times in the displayed zone', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T08:00:00Z') });
    expect(messages('2026-11-22T08:00', '2026-11-22T09:00')).toEqual([]);
    expect(messages('2026-11-22T08:00', '2026-11-22T09:00', 'UTC')).toEqual([
      'An exclusion must be in the past. Schedule a maintenance window instead.',
    ]);
    expect(messages('2026-11-22T08:00', '2026-11-22T07:00')).toEqual(['The end must be after the start.']);
    expect(messages('2026-11-22T08:00', 'soon')).toEqual(['Enter a date and time.']);
    expect(messages('', '')).toEqual(['Enter a start time.', 'Enter an end time.']);
  });
});

describe('default range of the exclusion form', () => {
  const now = Date.parse('2026-11-17T09:07:30.000Z');

  it('is the latest outage, in whole minutes of the displayed zone', () => {
    const outages = [
      { from: '2026-11-16T00:00:00.000Z', to: '2026-11-16T01:00:00.000Z' },
      { from: '2026-11-17T08:00:10.000Z', to: '2026-11-17T08:14:50.000Z' },
    ];
    expect(suggestedStretch(outages, 'UTC', now)).toEqual({ from: '2026-11-17T08:00', to: '2026-11-17T08:15' });
    expect(suggestedStretch(outages, 'Asia/Tokyo', now).from).toBe('2026-11-17T17:00');
  });

  it('ends no later than now and starts before its end', () => {
    const lasting = [{ from: '2026-11-17T09:07:20.000Z', to: null }];
    expect(suggestedStretch(lasting, 'UTC', now)).toEqual({ from: '2026-11-17T09:06', to: '2026-11-17T09:07' });
  });

  it('is the last hour if there was no outage', () => {
    expect(suggestedStretch([], 'UTC', now)).toEqual({ from: '2026-11-17T08:07', to: '2026-11-17T09:07' });
  });
});
