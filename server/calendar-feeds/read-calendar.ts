import { maintenanceCalendar } from '@/server/maintenance/maintenance-calendar';
import { shiftsCalendar } from '@/server/on-call/shifts-calendar';
import type { Db } from '@/server/platform/db';
import type { CalendarFeed } from '@/server/platform/generated/prisma/client';
import type { FeedKind } from './schema';

const calendars = { on_call: shiftsCalendar, maintenance: maintenanceCalendar } satisfies Record<FeedKind, unknown>;

/** Calendars that are being computed, by feed. */
const running = new Map<string, Promise<string>>();

/** Returns the calendar of a feed. Concurrent requests share one computation. */
export function readCalendar(db: Db, feed: CalendarFeed): Promise<string> {
  const calendar = running.get(feed.id) ?? calendars[feed.kind](db, feed).finally(() => running.delete(feed.id));
  running.set(feed.id, calendar);
  return calendar;
}
