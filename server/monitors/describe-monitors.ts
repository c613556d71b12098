import type { Tx } from '@/server/platform/db';
import { monitorInclude, toMonitor } from './queries';
import type { Monitor } from './schema';

/** Monitors by id as messages carry them: as REST returns them, config left out. */
export async function describeMonitors(tx: Tx, ids: string[]): Promise<Map<string, Omit<Monitor, 'config'>>> {
  const rows = await tx.monitor.findMany({ where: { id: { in: ids } }, include: monitorInclude });
  return new Map(
    rows.map((row) => {
      const { config: _config, ...monitor } = toMonitor(row, 'masked');
      return [row.id, monitor];
    }),
  );
}
