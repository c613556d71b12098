import type { MonitorStatus } from '@/server/platform/generated/prisma/enums';
import { type Edges, periodAt } from '@/server/time/edges';

interface Stored {
  status: MonitorStatus;
  statusSince: Date;
  maintenance: Edges;
}

/** The columns of a state that determine the displayed status. */
export const shownSelect = { status: true, statusSince: true, maintenance: true } as const;

/**
 * Returns the displayed status at a given time, and since when. In a maintenance window it is `maintenance`, whatever the checks say, unless the
 * monitor is paused.
 */
export function shownStatus(
  { status, statusSince, maintenance }: Stored,
  at: Date,
): Pick<Stored, 'status' | 'statusSince'> {
  const period = status === 'paused' ? null : periodAt(maintenance, at);
  return period ? { status: 'maintenance', statusSince: period.startsAt } : { status, statusSince };
}
