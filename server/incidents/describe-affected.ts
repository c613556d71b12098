import { monitorInclude, toMonitor } from '@/server/monitor-types/output/to-monitor';
import type { Monitor } from '@/server/monitor-types/schema';
import type { EventData } from '@/server/notifications/messages/event';
import type { Tx } from '@/server/platform/db';
import { type IncidentRow, monitorIdsOf, toIncident } from './to-incident';

/** The maximum number of monitors that a message names. */
const MOST_NAMES = 20;

type Affected = Pick<EventData, 'incident' | 'monitor' | 'monitorNames'>;

/** Monitors by ID in the form of messages: like the REST API, but without the config. */
async function describeMonitors(tx: Tx, ids: string[]): Promise<Map<string, Omit<Monitor, 'config'>>> {
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

/** Returns the data of incidents for messages: each with its first monitor, and the names of all if there are several. */
export async function describeAffected(tx: Tx, incidents: IncidentRow[]): Promise<(incident: IncidentRow) => Affected> {
  const namedIds = (incident: IncidentRow) => monitorIdsOf(incident).slice(0, MOST_NAMES);
  const monitors = await describeMonitors(tx, incidents.flatMap(namedIds));
  return (incident) => {
    const [first, ...others] = namedIds(incident).flatMap((id) => monitors.get(id) ?? []);
    const monitorNames = first && others.length > 0 && [first, ...others].map(({ name }) => name);
    return { incident: toIncident(incident), monitor: first ?? null, ...(monitorNames && { monitorNames }) };
  };
}
