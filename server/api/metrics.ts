import { countWorkers } from '@/server/checks/count-workers';
import { LATENESS_BOUNDS_MS } from '@/server/checks/lateness';
import { listWorkers, type RunningWorker } from '@/server/checks/list-workers';
import { safeEqual } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { family, gauge, type Sample } from './prometheus';

const headers = { 'cache-control': 'no-store' };

interface Backlog {
  waiting: number;
  oldest: number;
}

/** Who has the token; without one set, this machine itself, for which no proxy hands anything on. */
function mayScrape(request: Request): boolean {
  if (env.metricsToken) return safeEqual(request.headers.get('authorization') ?? '', `Bearer ${env.metricsToken}`);
  const address = request.headers.get('x-upwatch-address') ?? '';
  if (request.headers.get('x-upwatch-forwarded') === 'true') return false;
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

/** One worker's histogram: buckets add up (`le`), in seconds. A worker of another version may have other buckets. */
function lateness({ id, region, lateness: counts, latenessMs }: RunningWorker): Sample[] {
  if (counts.length !== LATENESS_BOUNDS_MS.length + 1) return [];
  const labels = { worker: id, region };
  let sum = 0;
  const buckets = counts.map((count, index): Sample => {
    sum += count;
    const bound = LATENESS_BOUNDS_MS[index];
    return ['_bucket', { ...labels, le: bound === undefined ? '+Inf' : String(bound / 1000) }, sum];
  });
  return [...buckets, ['_sum', labels, latenessMs / 1000], ['_count', labels, sum]];
}

const readMonitors = () => db.$queryRaw<{ status: string; monitors: number }[]>`
  select status::text, count(*)::int as monitors from monitor_states group by 1 order by 1`;

/** Checks that are overdue by more than 5 seconds. */
const readOverdue = () => db.$queryRaw<Backlog[]>`
  select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest
  from (select due_at from monitor_states union all select due_at from monitor_regions) as due
  where due_at < now() - interval '5 seconds'`;

/** A message that waits for an earlier one of its incident is not overdue: its time has not come. */
const readDeliveries = () => db.$queryRaw<(Backlog & { failed: number; overdue: number })[]>`
  select count(*) filter (where status = 'pending')::int as waiting,
    count(*) filter (where status = 'failed')::int as failed,
    coalesce(extract(epoch from now() - min(created_at) filter (where status = 'pending')), 0)::float8 as oldest,
    greatest(0, coalesce(extract(epoch from now() - min(greatest(created_at, next_attempt_at)) filter (
      where status = 'pending' and
        (select earlier.status from deliveries earlier where earlier.id = deliveries.after_id) is distinct from 'pending'
    )), 0))::float8 as overdue
  from deliveries where status = 'pending' or (status = 'failed' and created_at > now() - interval '1 day')`;

/**
 * Jobs that could run now and that nobody runs, and those that are tried no more. One that runs has not failed yet, though
 * it is on its last attempt, or another has taken its key.
 */
const readJobs = () => db.$queryRaw<(Backlog & { failed: number })[]>`
  select count(*) filter (where ready)::int as waiting,
    count(*) filter (where attempts >= max_attempts and locked_at is null)::int as failed,
    greatest(0, coalesce(extract(epoch from now() - min(run_at) filter (where ready)), 0))::float8 as oldest
  from (
    select *, locked_at is null and run_at <= now() and attempts < max_attempts as ready from graphile_worker.jobs
  ) as jobs`;

/** Prometheus text (exposition format 0.0.4) of what an operator watches. Workers tell their part by way of the database. */
export async function metrics(request: Request): Promise<Response> {
  if (!mayScrape(request)) return new Response('Forbidden\n', { status: 403, headers });
  const [monitors, regions, workers, [overdue], [deliveries], [jobs]] = await Promise.all([
    readMonitors(),
    countWorkers(db),
    listWorkers(db, {}),
    readOverdue(),
    readDeliveries(),
    readJobs(),
  ]);
  const lines = [
    family(
      'upwatch_monitors',
      'gauge',
      'Monitors by status.',
      monitors.map(({ status, monitors: count }) => ['', { status }, count]),
    ),
    family(
      'upwatch_workers',
      'gauge',
      'Workers by region.',
      [...regions].map(([region, count]) => ['', { region }, count]),
    ),
    family(
      'upwatch_worker_info',
      'gauge',
      'Each worker with its version.',
      workers.map(({ id, region, version }) => ['', { worker: id, region, version }, 1]),
    ),
    family(
      'upwatch_check_lateness_seconds',
      'histogram',
      'How long after it was due each check began.',
      workers.flatMap(lateness),
    ),
    gauge('upwatch_checks_overdue', 'Monitors whose check is overdue by more than 5 seconds.', overdue?.waiting ?? 0),
    gauge('upwatch_checks_overdue_seconds', 'How long the most overdue of them has waited.', overdue?.oldest ?? 0),
    family('upwatch_deliveries', 'gauge', 'Messages that are pending, and those of the last 24 hours that failed.', [
      ['', { status: 'pending' }, deliveries?.waiting ?? 0],
      ['', { status: 'failed' }, deliveries?.failed ?? 0],
    ]),
    gauge('upwatch_deliveries_oldest_seconds', 'Age of the oldest pending message.', deliveries?.oldest ?? 0),
    gauge(
      'upwatch_deliveries_overdue_seconds',
      'How long the message whose next attempt is most overdue has waited for it.',
      deliveries?.overdue ?? 0,
    ),
    gauge('upwatch_jobs_waiting', 'Jobs that could run and that no worker has taken.', jobs?.waiting ?? 0),
    gauge('upwatch_jobs_oldest_seconds', 'How long the oldest of them has waited.', jobs?.oldest ?? 0),
    gauge('upwatch_jobs_failed', 'Jobs that failed for good and are tried no more.', jobs?.failed ?? 0),
    gauge('process_resident_memory_bytes', 'Resident memory of the web process.', process.memoryUsage.rss()),
  ];
  return new Response(`${lines.flat().join('\n')}\n`, {
    headers: { ...headers, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  });
}
