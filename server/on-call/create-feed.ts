import { recordAudit } from '@/server/audit/record-audit';
import { randomToken, sha256 } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { scheduleNotFound } from './queries';
import type { CalendarFeed, CreateFeedInput } from './schema';

/** Of a member, on every plan. */
const MOST_FEEDS = 20;

/**
 * Creates the secret address of a calendar: of a schedule, or without one of the caller's own shifts. Only this response shows it.
 * @throws AppError NOT_FOUND, PLAN_LIMIT_REACHED
 */
export async function createFeed({
  ctx,
  input: { scheduleId = null },
}: {
  ctx: TeamContext;
  input: CreateFeedInput;
}): Promise<{ feed: CalendarFeed; url: string }> {
  const { team, user } = ctx;
  const token = randomToken();
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    const schedule = scheduleId && (await tx.onCallSchedule.findFirst({ where: { id: scheduleId, teamId: team.id } }));
    if (scheduleId !== null && !schedule) throw scheduleNotFound();
    if ((await tx.onCallFeed.count({ where: { teamId: team.id, userId: user.id } })) >= MOST_FEEDS) {
      throw new AppError('PLAN_LIMIT_REACHED', `You can have at most ${MOST_FEEDS} calendar feeds. Revoke one.`);
    }
    const row = await tx.onCallFeed.create({
      data: { id: newId(), teamId: team.id, userId: user.id, scheduleId, tokenHash: sha256(token) },
    });
    const name = schedule ? schedule.name : (user.name ?? user.email);
    const target = { type: 'on_call_feed', id: row.id, name };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'on_call_feed.create', target, after: { scheduleId } });
    return {
      feed: { id: row.id, scheduleId, createdAt: row.createdAt.toISOString() },
      url: `${env.appUrl}/api/on-call/${token}.ics`,
    };
  });
}
