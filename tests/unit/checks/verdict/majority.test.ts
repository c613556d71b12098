import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AWAIT_MS, majority, nextSilence, type Vote } from '@/server/checks/verdict/majority';

const NOW = new Date('2026-05-01T10:00:00Z');
const WATCH = { watchedForMs: 130_000, watchChanged: null };
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

const vote = (region: string, status: Vote['status'], changes: Partial<Vote> = {}): Vote => ({
  region,
  status,
  statusSince: ago(600),
  lastCheckedAt: ago(30),
  lastError: status === 'up' ? null : `${status} there`,
  turnedAt: null,
  dueAt: ago(-30),
  ...changes,
});
/** A region without workers. */
const gone = (region: string, status: Vote['status'] = 'up') =>
  vote(region, status, { lastCheckedAt: ago(3600), dueAt: ago(3540) });
/** A region that was just added, or is back and has not checked yet. */
const coming = (region: string) => vote(region, 'pending', { lastCheckedAt: null, dueAt: ago(1) });

const before = { statusSince: ago(3600), openIncident: null, steadySince: null, changes: [] };
const UP = { ...before, status: 'up' as const };
const DOWN = { ...before, status: 'down' as const, openIncident: 'downtime' as const };
const DEGRADED = { ...before, status: 'degraded' as const };
const PENDING = { ...before, status: 'pending' as const };
const LOST = { ...before, status: 'unknown' as const, openIncident: 'downtime' as const };

const decide = (present: Parameters<typeof majority>[0], ...votes: Vote[]) =>
  majority(present, votes, WATCH, NOW)?.status ?? 'as it is';

const [up, down, slow] = (['up', 'down', 'degraded'] as const).map(
  (status) => (region: string) => vote(region, status),
) as [(region: string) => Vote, (region: string) => Vote, (region: string) => Vote];

describe('majority of regions', () => {
  it.each([
    ['all up', UP, [up('a'), up('b'), up('c')], 'up'],
    ['one of three down', UP, [down('a'), up('b'), up('c')], 'up'],
    ['two of three down', UP, [down('a'), down('b'), up('c')], 'down'],
    ['one of two down, previously up', UP, [down('a'), up('b')], 'as it is'],
    ['one of two down, previously down', DOWN, [down('a'), up('b')], 'as it is'],
    ['one of two down, previously pending', PENDING, [down('a'), up('b')], 'up'],
    ['one of two down, unknown during a downtime', LOST, [down('a'), up('b')], 'as it is'],
    ['two of four down, previously down', DOWN, [down('a'), down('b'), up('c'), up('d')], 'as it is'],
    ['the majority up again', DOWN, [down('a'), up('b'), up('c')], 'up'],
    ['the only one down', UP, [down('a')], 'down'],
    ['the only one up again', DOWN, [up('a')], 'up'],
    ['one of three slow', UP, [slow('a'), up('b'), up('c')], 'up'],
    ['two of three slow', UP, [slow('a'), slow('b'), up('c')], 'degraded'],
    ['one slow, one down, one up', UP, [slow('a'), down('b'), up('c')], 'up'],
    ['one slow, one down, one up, previously down', DOWN, [slow('a'), down('b'), up('c')], 'up'],
    ['one slow, one down, one up, previously degraded', DEGRADED, [slow('a'), down('b'), up('c')], 'as it is'],
    ['one of two slow, previously up', UP, [slow('a'), up('b')], 'up'],
    ['one of two slow, previously degraded', DEGRADED, [slow('a'), up('b')], 'as it is'],
    ['degraded, and the majority fast again', DEGRADED, [slow('a'), up('b'), up('c')], 'up'],
    ['a downtime that ends with slow checks', DOWN, [slow('a'), slow('b'), down('c')], 'degraded'],
  ] as const)('%s', (_name, present, votes, status) => {
    expect(decide(present, ...votes)).toBe(status);
  });
});

describe('late vote', () => {
  const late = (region: string, status: Vote['status']) => vote(region, status, { lastCheckedAt: ago(70) });
  const since = { statusSince: ago(60) };

  it.each([
    [
      'down does not reopen what has recovered',
      { ...UP, ...since },
      [late('a', 'down'), down('b'), up('c')],
      'as it is',
    ],
    ['down leaves a tie of the others', { ...UP, ...since }, [late('a', 'down'), down('b'), up('c'), up('d')], 'up'],
    ['up does not end a downtime', { ...DOWN, ...since }, [late('a', 'up'), up('b'), down('c')], 'as it is'],
    ['counts if it confirms the status', { ...DOWN, ...since }, [late('a', 'down'), down('b'), up('c')], 'down'],
    ['counts while the status is unknown', { ...LOST, ...since, openIncident: null }, [late('a', 'down')], 'down'],
  ] as const)('%s', (_name, present, votes, status) => {
    expect(decide(present, ...votes)).toBe(status);
  });
});

describe('regions without a verdict', () => {
  it.each([
    ['do not count if their workers are gone', UP, [down('a'), gone('b'), gone('c')], 'down'],
    ['can leave a tie between the others', UP, [down('a'), up('b'), gone('c', 'down')], 'as it is'],
    ['do not count if they could not check', UP, [down('a'), vote('b', 'unknown'), vote('c', 'unknown')], 'down'],
    ['are awaited if they are about to check', UP, [down('a'), coming('b'), coming('c')], 'as it is'],
    ['are awaited before a downtime ends', DOWN, [up('a'), coming('b'), coming('c')], 'as it is'],
    ['are not awaited to confirm that the monitor is up', PENDING, [up('a'), coming('b'), coming('c')], 'up'],
    ['are not awaited if the others decide', UP, [down('a'), down('b'), coming('c')], 'down'],
    ['are awaited if none has checked', UP, [coming('a'), coming('b')], 'as it is'],
    ['make the status unknown if all workers are gone', UP, [gone('a'), gone('b', 'down')], 'unknown'],
    ['make the status unknown if none could check', UP, [vote('a', 'unknown'), gone('b')], 'unknown'],
    ['make the status unknown if there never was a worker', PENDING, [{ ...coming('a'), dueAt: ago(61) }], 'unknown'],
    ['make the status unknown if there are none', PENDING, [], 'unknown'],
  ] as const)('%s', (_name, present, votes, status) => {
    expect(decide(present, ...votes)).toBe(status);
  });

  it('turn the monitor unknown from the time of the last vote, or from the start if there was none', () => {
    const both = majority(UP, [gone('a'), vote('b', 'up', { lastCheckedAt: ago(200), dueAt: ago(140) })], WATCH, NOW);
    expect(both?.since).toEqual(ago(70));
    const never = { ...coming('a'), dueAt: ago(600), statusSince: ago(600) };
    expect(majority(PENDING, [never], WATCH, NOW)?.since).toEqual(ago(600));
  });

  it('reconsiders regions without a verdict when one loses its vote or its waiting time is over', () => {
    expect(nextSilence(UP, [up('a'), up('b')], WATCH, NOW)).toEqual(ago(30 - 130));
    expect(nextSilence(UP, [up('a'), coming('b')], WATCH, NOW)).toEqual(new Date(ago(1).getTime() + AWAIT_MS));
    expect(nextSilence(UP, [gone('a')], WATCH, NOW)).toBeNull();
  });
});

describe('reason of a regional verdict', () => {
  const reason = (...votes: Vote[]) => majority(UP, votes, WATCH, NOW)?.error;

  it.each([
    ['is only the error if a single region answers', [down('a'), gone('b')], 'down there'],
    ['names the regions with the same error', [down('a'), down('b'), up('c')], 'down there (2 of 3 regions: a, b)'],
    [
      "lists each region's error if they differ",
      [down('a'), vote('b', 'down', { lastError: 'Timed out' })],
      '2 of 2 regions: a: down there; b: Timed out',
    ],
    [
      'is that of the slow regions if degraded',
      [slow('a'), slow('b'), down('c')],
      'degraded there (2 of 3 regions: a, b)',
    ],
    ['is null if up', [up('a'), up('b'), down('c')], null],
  ] as const)('%s', (_name, votes, text) => {
    expect(reason(...votes)).toBe(text);
  });

  it('dates a downtime from when there were enough votes', () => {
    const votes = (status: Vote['status']) =>
      [300, 100, 200].map((seconds, index) => vote(`r${index}`, status, { statusSince: ago(seconds) }));
    expect(majority(UP, votes('down'), WATCH, NOW)?.since).toEqual(ago(200));
    expect(majority(DOWN, votes('up'), WATCH, NOW)?.since).toEqual(ago(200));
    const slowLately = [up('a'), ...votes('degraded')];
    expect(majority(UP, slowLately, WATCH, NOW)).toMatchObject({ status: 'degraded', since: ago(100) });
  });
});

describe('any sequence of votes', () => {
  const status = fc.constantFrom(
    'up' as const,
    'degraded' as const,
    'down' as const,
    'unknown' as const,
    'pending' as const,
  );
  const one = fc.record({
    status,
    checked: fc.option(fc.integer({ min: 0, max: 400 })),
    due: fc.integer({ min: -60, max: 400 }),
  });
  const many = fc
    .array(one, { maxLength: 10 })
    .map((all) =>
      all.map(({ status: says, checked, due }, index) =>
        vote(`r${index}`, says, { lastCheckedAt: checked === null ? null : ago(checked), dueAt: ago(due) }),
      ),
    );
  const present = fc.constantFrom(UP, DOWN, DEGRADED, PENDING, LOST);
  const isHeard = ({ lastCheckedAt }: Vote) => lastCheckedAt !== null && lastCheckedAt > ago(WATCH.watchedForMs / 1000);

  it('requires more than half of the answers for down and for its end, in any order', () => {
    fc.assert(
      fc.property(present, many, (earlier, votes) => {
        const heard = votes.filter((each) => isHeard(each) && ['up', 'degraded', 'down'].includes(each.status));
        const failing = heard.filter((each) => each.status === 'down').length;
        const after = majority(earlier, votes, WATCH, NOW);
        expect(majority(earlier, [...votes].reverse(), WATCH, NOW)?.status).toBe(after?.status);
        if (after?.status === 'down') expect(failing * 2).toBeGreaterThan(heard.length);
        if (after && after.status !== 'down' && after.status !== 'unknown') {
          expect(failing * 2).toBeLessThanOrEqual(heard.length);
          if (earlier === DOWN || earlier === LOST) expect(failing * 2).toBeLessThan(heard.length);
        }
        if (after?.status === 'unknown') expect(heard).toEqual([]);
        if (after && after.status !== 'up') expect(after.error).not.toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps its verdict until a vote changes', () => {
    fc.assert(
      fc.property(present, many, (earlier, votes) => {
        const after = majority(earlier, votes, WATCH, NOW);
        if (!after || after.status === 'unknown') return;
        const openIncident = after.status === 'down' ? ('downtime' as const) : null;
        const settled = { ...before, status: after.status, openIncident };
        expect(majority(settled, votes, WATCH, NOW)?.status ?? after.status).toBe(after.status);
      }),
      { numRuns: 2_000 },
    );
  });
});
