import { afterEach, describe, expect, it, vi } from 'vitest';
import { sampleInstance } from '@/server/admin/sample-instance';
import { takeSample } from '@/server/admin/sample-queries';
import { metrics } from '@/server/api/metrics';
import { deliveriesSql } from '@/server/api/metrics-queries';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { newId } from '@/server/platform/ids';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

// Modules of its own: it expects counters of the process that no other file has raised.

const scrape = (headers: Record<string, string>) => metrics(new Request('http://127.0.0.1/api/metrics', { headers }));

/** Every sample by its name and labels. */
async function samples(): Promise<Map<string, number>> {
  const answer = await scrape({ 'x-upwatch-address': '127.0.0.1' });
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const found = lines.map((line) => /^(\S+?(?:\{.*\})?) (-?[\d.e+-]+)$/.exec(line));
  expect(lines.filter((_, index) => !found[index])).toEqual([]);
  return new Map(found.map((each): [string, number] => [each?.[1] ?? '', Number(each?.[2])]));
}

function worker(data: Partial<Parameters<typeof db.worker.create>[0]['data']> = {}) {
  return db.worker.create({ data: { id: newId(), region: 'eu', ...data } });
}

afterEach(async () => {
  await db.worker.deleteMany();
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
});

describe('access to the metrics', () => {
  it.each([
    [{ 'x-upwatch-address': '127.0.0.1' }, 200],
    [{ 'x-upwatch-address': '::1', 'x-upwatch-forwarded': 'false' }, 200],
    [{ 'x-upwatch-address': '127.0.0.1', 'x-upwatch-forwarded': 'true' }, 403],
    [{ 'x-upwatch-address': '192.0.2.1' }, 403],
    [{}, 403],
  ])('answers without a configured token, for %o, %i', async (headers, status) => {
    expect((await scrape(headers as Record<string, string>)).status).toBe(status);
  });

  it('answers 403 to this machine too if APP_URL is not a loopback address, and says what to set', async () => {
    const local = { 'x-upwatch-address': '127.0.0.1' };
    vi.spyOn(env, 'appUrl', 'get').mockReturnValue('https://up.example.com');
    const refused = await scrape(local);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('METRICS_TOKEN')]);
    vi.spyOn(env, 'appUrl', 'get').mockReturnValue('http://localhost:3000');
    expect((await scrape(local)).status).toBe(200);
  });
});

describe('check lateness metric', () => {
  it('is a histogram per running worker, in seconds', async () => {
    const counts = [5, 0, 2, ...new Array(12).fill(0), 1];
    const { id } = await worker({ lateness: counts, latenessMs: 70_020, version: '1.2.3+abc' });
    await worker({ seenAt: new Date(Date.now() - 3_600_000) });
    const found = await samples();
    const labels = `worker="${id}",region="eu"`;
    const bucket = (le: string) => found.get(`upwatch_check_lateness_seconds_bucket{${labels},le="${le}"}`);
    expect(['0.001', '0.002', '0.005', '0.01', '60', '+Inf'].map(bucket)).toEqual([5, 5, 7, 7, 7, 8]);
    expect(found.get(`upwatch_check_lateness_seconds_sum{${labels}}`)).toBeCloseTo(70.02);
    expect(found.get(`upwatch_check_lateness_seconds_count{${labels}}`)).toBe(8);
    expect(found.get(`upwatch_worker_info{${labels},version="1.2.3+abc"}`)).toBe(1);
    expect(found.get('upwatch_workers{region="eu"}')).toBe(1);
    expect([...found.keys()].filter((name) => name.includes('_info'))).toHaveLength(1);
  });

  it('omits a worker with other buckets', async () => {
    await worker({ lateness: [1, 2, 3] });
    const found = await samples();
    expect([...found.keys()].filter((name) => name.includes('lateness'))).toEqual([]);
    expect(found.get('upwatch_workers{region="eu"}')).toBe(1);
  });
});

describe('upwatch_wait_seconds', () => {
  it('reports per worker and kind the time that work waited for a shared slot', async () => {
    const counts = [3, ...new Array(14).fill(0), 1];
    const { id } = await worker({ waits: { deliver: { counts, totalMs: 61_000 }, old: { counts: [1], totalMs: 1 } } });
    const found = await samples();
    const labels = `kind="deliver",process="${id}"`;
    expect(found.get(`upwatch_wait_seconds_bucket{${labels},le="0.001"}`)).toBe(3);
    expect(found.get(`upwatch_wait_seconds_bucket{${labels},le="+Inf"}`)).toBe(4);
    expect(found.get(`upwatch_wait_seconds_sum{${labels}}`)).toBe(61);
    expect([...found.keys()].filter((name) => name.includes('kind="old"'))).toEqual([]);
  });
});

describe('queue metrics', () => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

  async function deliveries(
    person: Person,
    each: [status: 'pending' | 'failed' | 'delivered', age: number, next?: number][],
  ) {
    const channel = { type: 'webhook', name: 'Hook', config: { url: 'https://hook.example/' } } as const;
    const { body } = await rest('POST', '/dashboard/notification-channels', { token: person.token, body: channel });
    await db.delivery.createMany({
      data: each.map(([status, age, next]) => ({
        id: newId(),
        teamId: person.teamId,
        channelId: body.channel.id,
        event: 'incident.opened',
        eventKey: newId(),
        payload: {},
        status,
        createdAt: ago(age),
        nextAttemptAt: next === undefined ? null : ago(next),
      })),
    });
  }

  it('report the number, age and delay of pending deliveries', async () => {
    await deliveries(await signUp(), [
      ['pending', 100_000, -600],
      ['pending', 50, 40],
      ['failed', 1_000],
      ['failed', 200_000],
      ['delivered', 400_000],
    ]);
    // A delivery that waits for an earlier one is pending, but not overdue.
    const first = await db.delivery.findFirstOrThrow({ orderBy: { createdAt: 'asc' }, where: { status: 'pending' } });
    const resting = { createdAt: ago(90_000), nextAttemptAt: null };
    await db.delivery.create({ data: { ...first, id: newId(), eventKey: newId(), payload: {}, ...resting } });
    const found = await samples();
    expect(found.get('upwatch_deliveries_pending')).toBe(3);
    expect(Math.floor((found.get('upwatch_deliveries_oldest_seconds') ?? 0) / 1000)).toBe(100);
    expect(found.get('upwatch_deliveries_overdue_seconds')).toBeGreaterThanOrEqual(40);
    expect(found.get('upwatch_deliveries_overdue_seconds')).toBeLessThan(600);
    await db.delivery.deleteMany();
    const none = await samples();
    expect(none.get('upwatch_deliveries_oldest_seconds')).toBe(0);
    expect(none.get('upwatch_deliveries_overdue_seconds')).toBe(0);
  });

  it('report the number of ready jobs, their age and the jobs that failed for good', async () => {
    const add = (runAt: Date, max = 5) =>
      db.$executeRaw`select 1 from graphile_worker.add_job('nothing', run_at => ${runAt}, max_attempts => ${max}::int)`;
    await add(ago(90));
    await add(ago(30));
    await add(ago(-900));
    await add(ago(500), 1);
    const taken = ago(700);
    await add(taken);
    await db.$executeRaw`update graphile_worker._private_jobs set attempts = max_attempts where max_attempts = 1`;
    await db.$executeRaw`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody', attempts = max_attempts
      where run_at = ${taken}`;
    const found = await samples();
    expect(found.get('upwatch_jobs_failed')).toBe(1);
    expect(found.get('upwatch_jobs_waiting')).toBe(2);
    expect(found.get('upwatch_jobs_oldest_seconds')).toBeGreaterThanOrEqual(90);
    expect(found.get('upwatch_jobs_oldest_seconds')).toBeLessThan(500);
  });

  it('read pending deliveries from an index', async () => {
    const plan = await db.$transaction(async (tx) => {
      await tx.$executeRaw`set local enable_seqscan = off`;
      return tx.$queryRaw<{ 'QUERY PLAN': string }[]>`explain ${deliveriesSql}`;
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/using deliveries_(pending|waiting)_idx/);
  });
});

describe('constant metrics', () => {
  it('count workers, statuses and incidents as 0 if there are none', async () => {
    await db.monitor.deleteMany();
    await takeSample();
    const found = await samples();
    expect(found.get('upwatch_workers_running')).toBe(0);
    expect(found.get('upwatch_monitors{status="down"}')).toBe(0);
    expect(found.get('upwatch_incidents_open{type="downtime"}')).toBe(0);
    expect(found.get('upwatch_database_up')).toBe(1);
    expect(found.get('upwatch_database_connections{state="waiting"}')).toBe(0);
  });

  it('count the workers of a region in use as 0 once the last one is gone', async () => {
    const { token } = await signUp();
    await worker({ region: 'us' });
    const body = httpMonitor({ regions: ['us'] });
    expect((await rest('POST', '/dashboard/monitors', { token, body })).status).toBe(201);
    await takeSample();
    expect((await samples()).get('upwatch_workers{region="us"}')).toBe(1);
    await db.worker.deleteMany();
    const found = await samples();
    expect([found.get('upwatch_workers{region="us"}'), found.get('upwatch_workers_running')]).toEqual([0, 0]);
  });
});

it('report the memory and the connections of each worker', async () => {
  const connections = { used: 3, idle: 2, waiting: 1 };
  const { id } = await worker({ process: { memoryBytes: 123_456_789, connections } });
  await worker();
  const found = await samples();
  const labels = `worker="${id}",region="eu"`;
  expect(found.get(`upwatch_worker_memory_bytes{${labels}}`)).toBe(123_456_789);
  expect(found.get(`upwatch_worker_database_connections{${labels},state="waiting"}`)).toBe(1);
  expect([...found.keys()].filter((name) => name.startsWith('upwatch_worker_memory'))).toHaveLength(1);
});

it('count open incidents by type, across teams', async () => {
  const { token } = await signUp();
  const open = async () => {
    await takeSample();
    return (await samples()).get('upwatch_incidents_open{type="manual"}');
  };
  const create = () => rest('POST', '/api/v1/incidents', { token, body: { title: 'Slow' } });
  const { body } = await create();
  await create();
  expect(await open()).toBe(2);
  await rest('POST', `/api/v1/incidents/${body.incident.id}/resolve`, { token, body: {} });
  expect(await open()).toBe(1);
});

describe('sampled metrics', () => {
  it('reports sampled metrics as of the last sample, with its age', async () => {
    const { token, teamId } = await signUp();
    await db.instanceSample.deleteMany();
    const body = httpMonitor();
    expect((await rest('POST', '/dashboard/monitors', { token, body })).status).toBe(201);
    const first = await samples();
    const pending = first.get('upwatch_monitors{status="pending"}') ?? 0;
    expect(pending).toBeGreaterThan(0);
    await rest('POST', '/dashboard/monitors', { token, body });
    await db.instanceSample.updateMany({ data: { takenAt: new Date(Date.now() - 90_000) } });
    const same = await samples();
    expect(same.get('upwatch_monitors{status="pending"}')).toBe(pending);
    expect(same.get('upwatch_sample_age_seconds')).toBeGreaterThanOrEqual(90);
    await db.channel.create({
      data: { id: newId(), teamId, type: 'webhook', name: 'a', config: {}, failedAt: new Date() },
    });
    await runJob(sampleInstance, {});
    const next = await samples();
    expect(next.get('upwatch_monitors{status="pending"}')).toBe(pending + 1);
    expect(next.get('upwatch_channels_failing')).toBe(1);
    expect(next.get('upwatch_sample_age_seconds')).toBeLessThan(90);
  });
});

it('report a worker without a network', async () => {
  const [lost, well] = [await worker({ lostAt: new Date() }), await worker()];
  const found = await samples();
  const up = ({ id }: { id: string }) => found.get(`upwatch_worker_network_up{worker="${id}",region="eu"}`);
  expect([up(lost), up(well)]).toEqual([0, 1]);
});

it('report the time since the last hour that is rolled up', async () => {
  await db.rollUpMark.deleteMany();
  expect((await samples()).get('upwatch_roll_up_lag_seconds')).toBe(0);
  await db.rollUpMark.create({ data: { hour: Math.floor(Date.now() / 3_600_000) - 5 } });
  const lag = (await samples()).get('upwatch_roll_up_lag_seconds') ?? 0;
  expect(Math.floor(lag / 3_600)).toBe(5);
});

it('count delivered and failed messages per worker, and the time to message', async () => {
  const timeToMessage = { counts: [0, 0, 1, ...new Array(13).fill(0)], totalMs: 4_000 };
  const { id } = await worker({ process: { deliveries: { delivered: 7, failed: 2, timeToMessage } } });
  const found = await samples();
  expect(found.get(`upwatch_deliveries_total{status="delivered",process="${id}"}`)).toBe(7);
  expect(found.get(`upwatch_deliveries_total{status="failed",process="${id}"}`)).toBe(2);
  expect(found.get('upwatch_deliveries_total{status="failed",process="web"}')).toBe(0);
  expect(found.get(`upwatch_time_to_message_seconds_bucket{process="${id}",le="2"}`)).toBe(0);
  expect(found.get(`upwatch_time_to_message_seconds_bucket{process="${id}",le="5"}`)).toBe(1);
  expect(found.get(`upwatch_time_to_message_seconds_sum{process="${id}"}`)).toBe(4);
});
