import { countWorkers } from '@/server/checks/count-workers';
import { safeEqual } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { log } from '@/server/platform/log';
import { toEnvelope } from './error-table';

const headers = { 'cache-control': 'no-store' };

/** Answers every method that these addresses do not know: they are only read. */
export function refuseMethod(): Response {
  const error = toEnvelope(new AppError('METHOD_NOT_ALLOWED', 'This address answers GET, HEAD.'));
  return Response.json({ error }, { status: error.status, headers: { ...headers, allow: 'GET, HEAD' } });
}

/** Liveness: this process answers. */
export function health(): Response {
  return Response.json({ status: 'ok' }, { headers });
}

/** Readiness: this process answers and reaches the database. 503 where it does not. */
export async function ready(): Promise<Response> {
  try {
    await db.$queryRaw`select 1`;
    return Response.json({ status: 'ready' }, { headers });
  } catch (error) {
    log.warn({ err: error }, 'Not ready: the database does not answer');
    return Response.json({ status: 'unavailable' }, { status: 503, headers });
  }
}

interface Figures {
  status: string;
  monitors: bigint;
}

/** Who has the token; without one set, this machine itself, for which no proxy hands anything on. */
function mayScrape(request: Request): boolean {
  if (env.metricsToken) return safeEqual(request.headers.get('authorization') ?? '', `Bearer ${env.metricsToken}`);
  const address = request.headers.get('x-upwatch-address') ?? '';
  if (request.headers.get('x-upwatch-forwarded') === 'true') return false;
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

/** Prometheus text (exposition format 0.0.4) of what an operator watches. */
export async function metrics(request: Request): Promise<Response> {
  if (!mayScrape(request)) return new Response('Forbidden\n', { status: 403, headers });
  const [byStatus, [schedule], [deliveries], workers] = await Promise.all([
    db.$queryRaw<Figures[]>`select status::text, count(*) as monitors from monitor_states group by 1 order by 1`,
    db.$queryRaw<{ late: bigint; worst: number }[]>`
      select count(*) as late, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as worst
      from (select due_at from monitor_states union all select due_at from monitor_regions) as due
      where due_at < now() - interval '5 seconds'`,
    db.$queryRaw<{ pending: bigint; failed: bigint }[]>`
      select count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'failed') as failed
      from deliveries where created_at > now() - interval '1 day'`,
    countWorkers(db),
  ]);
  const lines = [
    '# HELP upwatch_monitors Monitors by status.',
    '# TYPE upwatch_monitors gauge',
    ...byStatus.map(({ status, monitors }) => `upwatch_monitors{status="${status}"} ${monitors}`),
    '# HELP upwatch_workers Workers by region.',
    '# TYPE upwatch_workers gauge',
    ...[...workers].map(([region, count]) => `upwatch_workers{region="${region}"} ${count}`),
    '# HELP upwatch_checks_overdue Monitors whose check is overdue by more than 5 seconds.',
    '# TYPE upwatch_checks_overdue gauge',
    `upwatch_checks_overdue ${schedule?.late ?? 0}`,
    '# HELP upwatch_checks_overdue_seconds How long the most overdue of them has waited.',
    '# TYPE upwatch_checks_overdue_seconds gauge',
    `upwatch_checks_overdue_seconds ${schedule?.worst ?? 0}`,
    '# HELP upwatch_deliveries Messages of the last 24 hours that are not delivered, by status.',
    '# TYPE upwatch_deliveries gauge',
    `upwatch_deliveries{status="pending"} ${deliveries?.pending ?? 0}`,
    `upwatch_deliveries{status="failed"} ${deliveries?.failed ?? 0}`,
    '# HELP process_resident_memory_bytes Resident memory of the web process.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
  ];
  return new Response(`${lines.join('\n')}\n`, {
    headers: { ...headers, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  });
}
