import type { Tx } from '@/server/platform/db';
import type { Monitor } from '../schema';
import { monitorInclude, toMonitor } from './to-monitor';

/** Monitors by ID in the form of messages: like the REST API, but without the config. */
export async function describeMonitors(tx: Tx, ids: string[]): Promise<Map<string, Omit<Monitor, 'config'>>> {
  const rows = await tx.monitor.findMany({
    where: { id: { in: ids } },
    include: monitorInclude,
    omit: { config: true },
  });
  return new Map(
    rows.map((row) => {
      const { config: _config, ...monitor } = toMonitor({ ...row, config: {} }, 'masked');
      return [row.id, monitor];
    }),
  );
}
