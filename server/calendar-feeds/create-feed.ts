import { recordAudit } from '@/server/audit/record-audit';
import { randomToken, sha256 } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { toFeed } from './queries';
import type { CalendarFeed, CreateFeedInput, FeedKind } from './schema';

/** The maximum number of feeds of a member on every plan. */
const MOST_FEEDS = 20;

/** The path segment of each kind of calendar below `/api`. */
const folders: Record<FeedKind, string> = { on_call: 'on-call', maintenance: 'maintenance' };

/**
 * Creates the secret URL of a calendar: the team's maintenance, the shifts of a schedule, or the caller's own shifts. Only this response contains the
 * URL.
 * @throws AppError NOT_FOUND, PLAN_LIMIT_REACHED
 */
export async function createFeed({
  ctx,
  input: { kind, scheduleId = null },
}: Call<CreateFeedInput>): Promise<{ feed: CalendarFeed; url: string }> {
  const { team, user } = ctx;
  const token = randomToken();
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    const schedule = scheduleId && (await tx.onCallSchedule.findFirst({ where: { id: scheduleId, teamId: team.id } }));
    if (scheduleId !== null && !schedule) throw new AppError('NOT_FOUND', 'There is no such on-call schedule.');
    if ((await tx.calendarFeed.count({ where: { teamId: team.id, userId: user.id } })) >= MOST_FEEDS) {
      throw new AppError('PLAN_LIMIT_REACHED', `You can have at most ${MOST_FEEDS} calendar feeds. Revoke one.`);
    }
    const row = await tx.calendarFeed.create({
      data: { id: newId(), teamId: team.id, userId: user.id, kind, scheduleId, tokenHash: sha256(token) },
    });
    const name = schedule ? schedule.name : (user.name ?? user.email);
    const target = { type: `${kind}_feed`, id: row.id, name };
    await recordAudit(tx, ctx, { teamId: team.id, action: `${kind}_feed.create`, target, after: { scheduleId } });
    return { feed: toFeed(row), url: `${env.appUrl}/api/${folders[kind]}/${token}.ics` };
  });
}
