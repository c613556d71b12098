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

/** The names of monitors by ID, without a statement if there are none. */
async function readNames(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const where = { id: { in: [...new Set(ids)] } };
  const rows = ids.length === 0 ? [] : await tx.monitor.findMany({ where, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the data of incidents for messages: each with its first monitor, and the names of all if there are several. */
export async function describeAffected(tx: Tx, incidents: IncidentRow[]): Promise<(incident: IncidentRow) => Affected> {
  const named = new Map(incidents.map((incident) => [incident.id, monitorIdsOf(incident).slice(0, MOST_NAMES)]));
  const several = [...named.values()].filter(({ length }) => length > 1);
  const names = await readNames(tx, several.flat());
  // Of several, those that exist: a job takes deleted monitors from incidents later.
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
