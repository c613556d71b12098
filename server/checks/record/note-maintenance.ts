import { noteIncidents } from '@/server/incidents/note-incidents';
import { maintenanceKey, maintenanceLine, type NamedPeriod } from '@/server/maintenance/maintenance-line';
import type { Tx } from '@/server/platform/db';

/** A change of a monitor's open status incident that maintenance holds, or has just released. */
export interface HeldIncident {
  monitorId: string;
  /** `end`: its end is held from now on. `opened`, `resolved`: it was opened or resolved after the maintenance. */
  what: 'end' | 'opened' | 'resolved';
  at: Date;
}

const afterwards: Record<HeldIncident['what'], string> = {
  end: '.',
  opened: '; the incident was opened after it.',
  resolved: '; the end was reported after it.',
};

/** Returns, of each monitor's maintenance periods that began by the given time, the one that ends last. Monitors without one are missing. */
async function readLastPeriods(tx: Tx, items: { monitorId: string; at: Date }[]): Promise<Map<string, NamedPeriod>> {
  // Raw: the last row of each of many monitors, each at a different time.
  const rows = await tx.$queryRaw<(NamedPeriod & { monitorId: string })[]>`
    select m.id as "monitorId", w.title, p.window_id as "windowId", p.starts_at as "startsAt", p.ends_at as "endsAt"
    from unnest(
      ${items.map(({ monitorId }) => monitorId)}::text[],
      ${items.map(({ at }) => at)}::timestamptz[]
    ) as i (monitor_id, at)
      join monitors m on m.id = i.monitor_id
      cross join lateral (
        select window_id, starts_at, ends_at from maintenance_periods
        where monitor_num = m.num and starts_at <= i.at and ends_at > starts_at
        order by ends_at desc limit 1
      ) p
      left join maintenance_windows w on w.id = p.window_id`;
  return new Map(rows.map(({ monitorId, ...period }) => [monitorId, period]));
}

/**
 * Adds a line to the timeline of each incident that names the maintenance window that holds or held it. Call it before incidents are resolved and
 * after they are opened, because only open incidents get the line.
 */
export async function noteMaintenance(tx: Tx, items: HeldIncident[]): Promise<void> {
  if (items.length === 0) return;
  const periods = await readLastPeriods(tx, items);
  await noteIncidents(
    tx,
    items.flatMap(({ monitorId, what, at }) => {
      const period = periods.get(monitorId);
      if (!period) return [];
      const line = { monitorId, at, message: `${maintenanceLine(period)}${afterwards[what]}` };
      return [what === 'end' ? { ...line, dedupeKey: maintenanceKey(period) } : line];
    }),
  );
}
