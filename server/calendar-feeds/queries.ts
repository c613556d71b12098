import { sha256 } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import type { CalendarFeed as Row } from '@/server/platform/generated/prisma/client';
import type { TeamContext } from '@/server/trpc/contexts';
import type { CalendarFeed, FeedKind } from './schema';

/** Maps a feed to the API form, without its URL. */
export function toFeed({ id, kind, scheduleId, createdAt }: Row): CalendarFeed {
  return { id, kind, scheduleId, createdAt: createdAt.toISOString() };
}

/** Returns the caller's feeds, newest first. */
export async function listFeeds({ db, team, user }: TeamContext): Promise<CalendarFeed[]> {
  const rows = await db.calendarFeed.findMany({ where: { teamId: team.id, userId: user.id }, orderBy: { id: 'desc' } });
  return rows.map(toFeed);
}

/** Returns the feed of a token; null if it is unknown, revoked or of another kind. */
export function findFeed(db: Db, kind: FeedKind, token: string): Promise<Row | null> {
  return db.calendarFeed.findUnique({ where: { tokenHash: sha256(token), kind } });
}
