import { z } from 'zod';
import { db } from '@/server/platform/db';
import { IncidentType, MonitorStatus } from '@/server/platform/generated/prisma/enums';

/** Figures of the instance that are computed from whole tables. */
export const InstanceSample = z.object({
  monitors: z.partialRecord(z.enum(MonitorStatus), z.int()),
  openIncidents: z.partialRecord(z.enum(IncidentType), z.int()),
  /** The first regions that monitors use, by name; not the private ones of teams. */
  regions: z.array(z.string()),
  /** Channels in the state "failing". */
  failingChannels: z.int(),
});
export type InstanceSample = z.infer<typeof InstanceSample>;

/** The maximum number of regions, because each becomes a series of the metrics, and monitors may name any. */
const MOST_REGIONS = 200;

/** Computes and stores a sample. */
export async function takeSample(): Promise<void> {
  // Raw: counts monitors within a maintenance window as in maintenance, in one statement that loads no rows.
  await db.$executeRaw`
    insert into instance_samples (id, taken_at, figures)
    select 1, clock_timestamp(), jsonb_build_object(
      'monitors', (
        select coalesce(jsonb_object_agg(status, monitors), '{}') from (
          select status, count(*) as monitors from (
            select case when status <> 'paused' and maintenance <> '{}' and width_bucket(now(), maintenance) % 2 = 1
              then 'maintenance' else status end as status
            from monitor_states where region = ''
          ) as shown group by status
        ) as by_status
      ),
      'openIncidents', (
        select coalesce(jsonb_object_agg(type, incidents), '{}') from (
          select type, count(*) as incidents from incidents
          where status <> 'resolved' and exists (select 1 from teams where teams.id = incidents.team_id) group by type
        ) as by_type
      ),
      'regions', (
        select coalesce(jsonb_agg(region), '[]') from (
          select distinct region from monitor_states where region <> '' and region not like 'private/%' order by 1 limit ${MOST_REGIONS}::int
        ) named
      ),
      'failingChannels', (select count(*) from channels where failed_at is not null)
    )
    on conflict (id) do update set taken_at = excluded.taken_at, figures = excluded.figures`;
}

/** Returns the last sample and when it was taken; null before the first one of this version. */
export async function readSample(): Promise<(InstanceSample & { takenAt: Date }) | null> {
  const row = await db.instanceSample.findUnique({ where: { id: 1 } });
  const { data } = InstanceSample.safeParse(row?.figures);
  return row && data ? { ...data, takenAt: row.takenAt } : null;
}
