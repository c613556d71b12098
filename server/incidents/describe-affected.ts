import { monitorInclude, toMonitor } from '@/server/monitor-types/output/to-monitor';
import type { Monitor } from '@/server/monitor-types/schema';
import type { EventData } from '@/server/notifications/messages/event';
import type { Tx } from '@/server/platform/db';
import { type IncidentRow, monitorIdsOf, toIncident } from './to-incident';

/** The maximum number of monitors that a message names. */
const MOST_NAMES = 20;

type Affected = Pick<EventData, 'incident' | 'monitor' | 'monitorNames'>;

/** Reads monitors by ID in the form that messages contain: like the REST API, but without the config. */
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

/** Reads the names of monitors by ID. Runs no query if `ids` is empty. */
async function readNames(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const where = { id: { in: [...new Set(ids)] } };
  const rows = ids.length === 0 ? [] : await tx.monitor.findMany({ where, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Reads what messages contain about incidents and their monitors.
 * @returns a function that maps each of these incidents to its data: with the first monitor, and the names of up to 20 if there are several
 */
export async function describeAffected(tx: Tx, incidents: IncidentRow[]): Promise<(incident: IncidentRow) => Affected> {
  const named = new Map(incidents.map((incident) => [incident.id, monitorIdsOf(incident).slice(0, MOST_NAMES)]));
  const several = [...named.values()].filter(({ length }) => length > 1);
  const names = await readNames(tx, several.flat());
  // Of several monitors, leaves out deleted ones, which a job removes from incidents later.
  const idsOf = ({ id }: IncidentRow) => {
    const ids = named.get(id) ?? [];
    return ids.length > 1 ? ids.filter((each) => names.has(each)) : ids;
  };
  const monitors = await describeMonitors(tx, [...new Set(incidents.flatMap((each) => idsOf(each)[0] ?? []))]);
  return (incident) => {
    const ids = idsOf(incident);
    const monitorNames = ids.length > 1 && ids.map((id) => names.get(id) ?? '');
    const monitor = monitors.get(ids[0] ?? '') ?? null;
    return { incident: toIncident(incident), monitor, ...(monitorNames && { monitorNames }) };
  };
}
