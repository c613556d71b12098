import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from '@/server/checks/finding';
import { type Recorded, recordResults } from '@/server/checks/record/record';
import { Recorder } from '@/server/checks/record/recorder';
import type { Result } from '@/server/checks/record/write-results';
import { claimDue, claimKey } from '@/server/checks/schedule/claim';
import { newTrace } from '@/server/monitor-types/probing/trace';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { until } from '@/tests/support/receivers';
import { loadPlans, makeDue, makeMonitors, makeTeam } from './monitors';

const REFUSED = 'The result of this check could not be stored; see the Upwatch log for details';
const worker = newId();
let teamId: string;

beforeEach(async () => {
  teamId = await makeTeam();
});

afterEach(() => db.team.deleteMany());

const down = (error: string): Finding => ({ at: new Date(), observation: null, verdict: { status: 'down', error } });

/** Results that bypassed `storable`: with a NUL, with a lone surrogate, and with an invalid certificate date. */
function poisonous(index: number): Finding {
  if (index % 3 === 0) return down('a\u0000b');
  if (index % 3 === 1) return { ...down('x'), at: new Date(Number.NaN) };
  const certificate = { subject: 's', issuer: 'i', validFrom: new Date(), validTo: new Date(Number.NaN) };
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
  const seen = {
    error: null,
    latencyMs: 1,
    timings,
    family: null,
    certificate,
    statusCode: null,
    evidence: null,
    trace: newTrace(),
  };
  return { ...down('x'), observation: { outcome: 'ok', ...seen } };
}

describe('Recorder', () => {
  it('records the others while one result fails again and again', async () => {
    const [slow, ...others] = await makeMonitors(
      teamId,
      ['slow', 'one', 'two'].map((path) => ({
        url: `http://127.0.0.1:9/${path}`,
        config: { confirm: { failures: 1 } },
      })),
    );
    // As a transaction that takes too long always fails.
    await db.$executeRawUnsafe(`
      create function fail_slow() returns trigger language plpgsql as $$ begin
        if new.monitor_id = '${slow?.id}' and new.status = 'down' then raise exception 'too slow' using errcode = '57P03'; end if;
        return new;
      end $$`);
    await db.$executeRaw`create trigger fail_slow before update on monitor_states for each row execute function fail_slow()`;
    const mend = () => db.$executeRaw`drop function if exists fail_slow cascade`;
    onTestFinished(async () => {
      await mend();
    });
    const { claims } = await claimDue(worker, 'test', 60_000, 100);
    const plans = await loadPlans(claims);
    const recorder = new Recorder((results) => recordResults(worker, results));
    const done: string[] = [];
    for (const { id } of [slow, ...others].flatMap((each) => each ?? [])) {
      const claim = claims.find(({ monitorId }) => monitorId === id);
      const plan = plans.get(id);
      if (!claim || !plan) throw new Error('There is no plan.');
      recorder.add({ plan, finding: down('Expected 200'), region: 'test', takenAt: new Date(), claim }, () =>
        done.push(id),
      );
    }
    await until(() => done.length === 2, 12_000, 'The other results');
    expect(done).not.toContain(slow?.id);
    await mend();
    await until(() => done.length === 3, 12_000, 'The result that failed');
    await recorder.stop(1_000);
  }, 40_000);

  it.each([1, 20])(
    'records 100 results at once, %i of which the database rejects',
    async (bad) => {
      const urls = Array.from({ length: 100 }, (_, index) => ({
        url: `http://127.0.0.1:9/${index}`,
        config: { confirm: { failures: 1 } },
      }));
      await makeMonitors(teamId, urls);
      const { claims } = await claimDue(worker, 'test', 60_000, 100);
      expect(claims).toHaveLength(100);
      const plans = await loadPlans(claims);
      const recorder = new Recorder((results) => recordResults(worker, results));
      const poisoned = new Set(
        claims.filter((_, index) => index % (100 / bad) === 0).map(({ monitorId }) => monitorId),
      );
      const from = Date.now();
      const times = new Map<string, number>();
      await Promise.all(
        claims.map((claim, index) => {
          const plan = plans.get(claim.monitorId);
          if (!plan) throw new Error('There is no plan.');
          const finding = poisoned.has(claim.monitorId) ? poisonous(index / (100 / bad)) : down('Expected 200');
          return new Promise<void>((resolve) => {
            recorder.add({ plan, finding, region: 'test', takenAt: new Date(), claim }, () => {
              times.set(claim.monitorId, Date.now() - from);
              resolve();
            });
          });
        }),
      );
      const states = await db.monitorState.findMany();
      for (const { monitorId, status, lastError } of states) {
        if (!poisoned.has(monitorId)) expect([status, lastError]).toEqual(['down', 'Expected 200']);
      }
      const refused = states.filter(({ monitorId }) => poisoned.has(monitorId));
      // A result without a time cannot be recorded: its claim expires, and the monitor is checked again.
      const timeless = Math.floor((bad + 1) / 3);
      expect(refused.filter(({ lastError }) => lastError === REFUSED)).toHaveLength(bad - timeless);
      expect(refused.every(({ status }) => status === 'unknown' || status === 'pending')).toBe(true);
      // Delays of up to 2 s between attempts that halve the batch would take longer than a minute.
      expect(Math.max(...times.values())).toBeLessThan(15_000);
      await recorder.stop(1_000);
    },
    40_000,
  );

  it('records the result of one region beside rejected results of another monitor', async () => {
    const [good, bad] = await makeMonitors(
      teamId,
      ['a', 'b'].map((path) => ({
        url: `http://127.0.0.1:9/${path}`,
        regions: ['test'],
        config: { confirm: { failures: 1 } },
      })),
    );
    const { claims } = await claimDue(worker, 'test', 1_000, 10);
    const plans = await loadPlans(claims);
    const recorder = new Recorder((results) => recordResults(worker, results));
    await Promise.all(
      claims.map((claim) => {
        const plan = plans.get(claim.monitorId);
        if (!plan) throw new Error('There is no plan.');
        const finding = down(claim.monitorId === bad?.id ? 'a\u0000b' : 'Expected 200');
        return new Promise<void>((resolve) => {
          recorder.add({ plan, finding, region: 'test', takenAt: new Date(), claim }, () => resolve());
        });
      }),
    );
    const regions = await db.monitorState.findMany({ where: { region: 'test' } });
    const of = (id: string | undefined) => regions.find(({ monitorId }) => monitorId === id);
    expect(of(good?.id)).toMatchObject({ status: 'down', lastError: 'Expected 200' });
    expect(of(bad?.id)).toMatchObject({ status: 'unknown', lastError: REFUSED });
    await recorder.stop(1_000);
  });

  it('records a look at the silence of regions beside the check of one of them', async () => {
    const [monitor] = await makeMonitors(teamId, [{ url: 'http://127.0.0.1:9/', regions: ['test'] }]);
    await makeDue(monitor?.id ?? '');
    const { claims } = await claimDue(worker, 'test', 1_000, 10);
    expect(claims.map(({ region }) => region).sort()).toEqual(['', 'test']);
    const plans = await loadPlans(claims);
    const recorder = new Recorder((results) => recordResults(worker, results));
    const dueAt = await Promise.all(
      claims.map((claim) => {
        const plan = plans.get(claim.monitorId);
        if (!plan) throw new Error('There is no plan.');
        const finding =
          claim.region === '' ? { at: new Date(), event: { kind: 'silence' as const } } : down('Expected 200');
        return new Promise<Date | null>((resolve) => {
          recorder.add({ plan, finding, region: 'test', takenAt: new Date(), claim }, resolve);
        });
      }),
    );
    expect(dueAt).not.toContain(null);
    const states = await db.monitorState.findMany({
      where: { monitorId: monitor?.id ?? '' },
      orderBy: { region: 'asc' },
    });
    expect(states).toMatchObject([
      { region: '', status: 'pending', claimedBy: null },
      { region: 'test', status: 'pending', failures: 3, claimedBy: null, lastError: 'Expected 200' },
    ]);
    expect(await db.check.count({ where: { monitorNum: monitor?.num ?? 0 } })).toBe(1);
    await recorder.stop(1_000);
  });

  it('does not release the new claim of a monitor whose last result waits', async () => {
    await makeMonitors(teamId, [{ url: 'http://127.0.0.1:9/' }]);
    const [old] = (await claimDue(worker, 'test', 1_000, 10)).claims;
    if (!old) throw new Error('Nothing was claimed.');
    const plan = (await loadPlans([old])).get(old.monitorId);
    if (!plan) throw new Error('There is no plan.');
    const recorder = new Recorder((results) => recordResults(results[0]?.claim ? worker : null, results));
    const takenAt = new Date();
    // A result that changes nothing is gathered with others, so it waits.
    const claim = { ...old, state: { ...old.state, status: 'down' as const } };
    const recorded = new Promise<Date | null>((resolve) => {
      recorder.add({ plan, finding: { ...down('late'), at: takenAt }, region: 'test', takenAt, claim }, resolve);
    });
    // The lease ran out while the worker was paused, and it claims the monitor anew.
    const { monitorId } = old;
    await db.monitorState.updateMany({ where: { monitorId }, data: { claimedUntil: new Date(Date.now() + 60_000) } });
    recorder.disown(claimKey(monitorId, ''));
    await recorded;
    const state = await db.monitorState.findFirstOrThrow({ where: { monitorId } });
    expect(state).toMatchObject({ claimedBy: worker, dueAt: old.dueAt });
    expect(state.lastCheckedAt).toEqual(takenAt);
    await recorder.stop(1_000);
  });
});

/** The number of deliveries that a transaction may write. */
const MOST_DELIVERIES = 1_500;

/** A team with so many channels and monitors, which change their status with one check. */
async function makeTeamOf({ channels, monitors }: { channels: number; monitors: number }): Promise<string> {
  const id = await makeTeam();
  await db.channel.createMany({
    data: Array.from({ length: channels }, () => {
      const config = { url: 'http://127.0.0.1:9/', secret: '' };
      return { id: newId(), teamId: id, type: 'webhook' as const, name: 'Receiver', config };
    }),
  });
  const config = { confirm: { failures: 1, recoveries: 1 } };
  await makeMonitors(
    id,
    Array.from({ length: monitors }, (_, index) => ({ url: `https://127.0.0.1:9/${index}`, config })),
  );
  return id;
}

async function claimAll(finding: Finding): Promise<Result[]> {
  await db.monitorState.updateMany({ data: { dueAt: new Date(), claimedBy: null, claimedUntil: null } });
  const { claims } = await claimDue(worker, 'test', 60_000, 500);
  const plans = await loadPlans(claims);
  return claims.flatMap((claim): Result[] => {
    const plan = plans.get(claim.monitorId);
    return plan ? [{ plan, finding: { ...finding, at: new Date() }, region: 'test', takenAt: new Date(), claim }] : [];
  });
}

function count(all: Recorded): { recorded: number; left: number } {
  const left = [...all.values()].filter((each) => each === 'left').length;
  return { recorded: all.size - left, left };
}

const teamOf = ({ plan }: Result) => plan.monitor.teamId;
const countDeliveries = (team: string) => db.delivery.count({ where: { teamId: team } });

const up: Finding = { at: new Date(), observation: null, verdict: { status: 'up', error: null } };

/** Its certificate expires within a day. */
function upWithCertificate(): Finding {
  const validTo = new Date(Date.now() + 86_400_000);
  const certificate = { subject: 's', issuer: 'i', validFrom: new Date(), validTo };
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
  const seen = { error: null, latencyMs: 1, timings, family: null, certificate, statusCode: 200, evidence: null };
  return { ...up, observation: { outcome: 'ok', ...seen, trace: newTrace() } };
}

describe('recordResults of many monitors of a team with 100 channels', () => {
  const recordAll = async (finding: Finding) => {
    const results = await claimAll(finding);
    const before = await db.delivery.count();
    const { recorded, left } = count(await recordResults(worker, results));
    return { recorded, left, deliveries: (await db.delivery.count()) - before };
  };

  it('writes at most 1,500 deliveries, for outages, recoveries and certificates', async () => {
    await makeTeamOf({ channels: 100, monitors: 18 });
    const part = { recorded: 15, left: 3, deliveries: MOST_DELIVERIES };
    expect(await recordAll(down('Expected 200'))).toEqual(part);
    // The three that were left fail again, the others change nothing.
    expect(await recordAll(down('Expected 200'))).toEqual({ recorded: 18, left: 0, deliveries: 300 });
    expect(await recordAll(up)).toEqual(part);
    expect(await recordAll(up)).toEqual({ recorded: 18, left: 0, deliveries: 300 });
    expect(await recordAll(upWithCertificate())).toEqual(part);
  }, 30_000);

  it('limits monitors with regions in the same way', async () => {
    const team = await makeTeamOf({ channels: 100, monitors: 0 });
    const config = { confirm: { failures: 1, recoveries: 1 } };
    const options = Array.from({ length: 17 }, () => ({ url: 'http://127.0.0.1:9/', regions: ['test'], config }));
    await makeMonitors(team, options);
    const results = (await claimAll(down('Expected 200'))).filter(({ claim }) => claim?.region === 'test');
    expect(results).toHaveLength(17);
    const { recorded, left } = count(await recordResults(worker, results));
    expect([recorded, left, await db.delivery.count()]).toEqual([15, 2, MOST_DELIVERIES]);
  });

  it('records 100 outages of a team with 15 channels at once', async () => {
    await makeTeamOf({ channels: 15, monitors: 100 });
    expect(await recordAll(down('Expected 200'))).toEqual({ recorded: 100, left: 0, deliveries: MOST_DELIVERIES });
  });
});

describe('Recorder and teams with many channels', () => {
  /** A recorder, and the results that each of its batches recorded. */
  function openRecorder() {
    const batches: Result[][] = [];
    const recorder = new Recorder(async (results) => {
      const recorded = await recordResults(worker, results);
      batches.push(results.filter(({ plan }) => recorded.get(plan.monitor.id) !== 'left'));
      return recorded;
    });
    const record = (result: Result) => new Promise<Date | null>((resolve) => recorder.add(result, resolve));
    return { recorder, record, batches };
  }

  it('records the outage of another team between the parts of one with many deliveries', async () => {
    const noisy = await makeTeamOf({ channels: 50, monitors: 100 });
    const quiet = await makeTeamOf({ channels: 1, monitors: 1 });
    const results = await claimAll(down('Expected 200'));
    expect(results).toHaveLength(101);
    const { recorder, record, batches } = openRecorder();
    const isQuiet = (result: Result) => teamOf(result) === quiet;
    const all = results.filter((result) => !isQuiet(result)).map(record);
    // While the first parts are written.
    await Promise.race(all);
    await Promise.race(all.slice(1));
    const from = batches.length;
    await Promise.all(results.filter(isQuiet).map(record));
    expect(batches.length - from).toBeLessThanOrEqual(3);
    expect(await countDeliveries(noisy)).toBeLessThan(5_000);
    expect(await countDeliveries(quiet)).toBe(1);
    expect(await Promise.all(all)).not.toContain(null);
    expect(await countDeliveries(noisy)).toBe(5_000);
    await recorder.stop(1_000);
  }, 30_000);

  it('takes turns between teams with many channels', async () => {
    const noisy = await Promise.all(Array.from({ length: 17 }, () => makeTeamOf({ channels: 100, monitors: 2 })));
    const results = await claimAll(down('Expected 200'));
    const { recorder, record, batches } = openRecorder();
    expect(await Promise.all(results.map(record))).not.toContain(null);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(15);
    // The first result is a batch of its own. After it, every team has one outage recorded before any team has another one.
    const order = batches.flat().map(teamOf);
    expect(new Set(order.slice(1, 18)).size).toBe(17);
    expect(order).toHaveLength(2 * noisy.length);
    await recorder.stop(1_000);
  }, 30_000);
});
