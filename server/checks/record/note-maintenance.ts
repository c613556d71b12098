import { noteIncidents } from '@/server/incidents/note-incidents';
import type { Tx } from '@/server/platform/db';

/** What maintenance does to the open status incident of a monitor: it holds its end, or it held its start or its end until now. */
export interface HeldIncident {
  monitorId: string;
  what: 'end' | 'opened' | 'resolved';
  at: Date;
}

const afterwards: Record<HeldIncident['what'], string> = {
  end: '.',
  opened: '; the incident was opened after it.',
  resolved: '; the end was reported after it.',
};

const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A period of maintenance; the title is null if its window was deleted. */
interface LastPeriod {
  title: string | null;
  endsAt: Date;
}

/** The periods in which monitors are at a moment, else the last ones before; of several, the one that ends last. */
async function readLastPeriods(tx: Tx, items: { monitorId: string; at: Date }[]): Promise<Map<string, LastPeriod>> {
  // Raw: the last row of each of many monitors, each at a moment of its own.
  const rows = await tx.$queryRaw<(LastPeriod & { monitorId: string })[]>`
    select m.id as "monitorId", w.title, p.ends_at as "endsAt"
    from unnest(
      ${items.map(({ monitorId }) => monitorId)}::text[],
      ${items.map(({ at }) => at)}::timestamptz[]
    ) as i (monitor_id, at)
      join monitors m on m.id = i.monitor_id
      cross join lateral (
        select window_id, ends_at from maintenance_periods
        where monitor_num = m.num and starts_at <= i.at and ends_at > starts_at
        order by ends_at desc limit 1
      ) p
      left join maintenance_windows w on w.id = p.window_id`;
  return new Map(rows.map(({ monitorId, ...period }) => [monitorId, period]));
}

/** Names in the timelines of incidents the maintenance that holds or held them. Before they are resolved, and after they are opened. */
export async function noteMaintenance(tx: Tx, items: HeldIncident[]): Promise<void> {
  if (items.length === 0) return;
  const periods = await readLastPeriods(tx, items);
  await noteIncidents(
    tx,
    items.flatMap(({ monitorId, what, at }) => {
      const period = periods.get(monitorId);
      if (!period) return [];
      const title = period.title === null ? '' : ` “${period.title}”`;
      return [{ monitorId, at, message: `In maintenance${title} until ${stamp(period.endsAt)}${afterwards[what]}` }];
    }),
  );
}
