import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { safeEqual } from '@/server/platform/crypto';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { poolUse } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { isLoopbackHost } from '@/server/platform/net';
import { processMetrics } from '@/server/platform/request-facts';
import { connectionSamples, instanceMetrics } from './instance-metrics';
import { family, gauge, prometheusText } from './prometheus';

const FORBIDDEN =
  'Forbidden: set METRICS_TOKEN and send it as a bearer token. Without a token, metrics are only available from this machine, and ' +
  'only while APP_URL is a loopback address.\n';

/**
 * Whether a request may read the metrics: it has the configured token. If none is configured, it comes from this machine, and APP_URL is a loopback
 * address: behind a proxy, every client has the proxy's address.
 */
function mayScrape(request: Request): boolean {
  if (env.metricsToken) return safeEqual(request.headers.get('authorization') ?? '', `Bearer ${env.metricsToken}`);
  if (!isLoopbackHost(new URL(env.appUrl).hostname)) return false;
  const address = request.headers.get('x-upwatch-address') ?? '';
  if (request.headers.get('x-upwatch-forwarded') === 'true') return false;
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

/** Returns the metric of the free space for DATA_DIR; none if that directory does not exist. */
async function freeSpace(): Promise<string[]> {
  const found = await statfs(path.join(/* turbopackIgnore: true */ env.dataDir)).catch(() => null);
  return found ? gauge('upwatch_disk_free_bytes', 'Free space for DATA_DIR.', found.bavail * found.bsize) : [];
}

/**
 * Answers `/api/metrics` with the instance's metrics in Prometheus' text format 0.0.4. While the database is unavailable, returns only the metrics of
 * this process.
 */
export async function metrics(request: Request): Promise<Response> {
  if (!mayScrape(request)) return new Response(FORBIDDEN, { status: 403, headers: { 'cache-control': 'no-store' } });
  const known = await instanceMetrics().catch((error: unknown) => {
    if (isDatabaseAway(error)) return null;
    throw error;
  });
  const lines = [
    ...(known ?? []),
    await freeSpace(),
    gauge('upwatch_database_up', 'Whether this process can reach the database.', known ? 1 : 0),
    family(
      'upwatch_database_connections',
      'gauge',
      'Database connections of this web process: used, idle, and callers waiting for one.',
      connectionSamples({}, poolUse()),
    ),
  ];
  return prometheusText([...lines.flat(), (await processMetrics()).trimEnd()], {});
}
