import { maintenanceCalendar } from '@/server/maintenance/maintenance-calendar';
import { shiftsCalendar } from '@/server/on-call/shifts-calendar';
import { sha256 } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import type { FeedKind } from './schema';

const calendars = { on_call: shiftsCalendar, maintenance: maintenanceCalendar } satisfies Record<FeedKind, unknown>;

/** The calendar of a feed's token, null where it is unknown, revoked or of another kind. */
export async function readCalendar(db: Db, kind: FeedKind, token: string): Promise<string | null> {
  const feed = await db.calendarFeed.findUnique({ where: { tokenHash: sha256(token), kind } });
  return feed && calendars[kind](db, feed);
}
