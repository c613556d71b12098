import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import { lockChannel, lockTeam } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { findChannel, toChannel } from './queries';
import type { Channel, SetFallbackInput, TeamFallback } from './schema';

const FIELD = 'fallbackChannelId';

interface Fallbacks {
  /** The team's fallback channel. */
  ofTeam: string | null;
  /** Each channel's name and own fallback. */
  channels: Map<string, { name: string; fallbackChannelId: string | null }>;
}

/** Reads all fallbacks of a locked team. */
async function readFallbacks(tx: Tx, teamId: string): Promise<Fallbacks> {
  const { fallbackChannelId } = await tx.team.findUniqueOrThrow({ where: { id: teamId } });
  const rows = await tx.channel.findMany({ where: { teamId, ownerId: null } });
  return { ofTeam: fallbackChannelId, channels: new Map(rows.map((row) => [row.id, row])) };
}

function nameOf({ channels }: Fallbacks, id: string | null): string | null {
  return id === null ? null : (channels.get(id)?.name ?? null);
}

/**
 * Returns the name of the chosen channel; null for none.
 * @throws AppError VALIDATION_ERROR if the team has no such channel
 */
function assertChannel(fallbacks: Fallbacks, id: string | null): string | null {
  const name = nameOf(fallbacks, id);
  if (id !== null && name === null) throw invalidField(FIELD, 'There is no such notification channel.');
  return name;
}

/**
 * Follows the chain of fallbacks from `start`, because `id` must not be in it.
 * @throws AppError VALIDATION_ERROR if it leads back to `id`
 */
function assertNoCycle({ channels }: Fallbacks, id: string, start: string): void {
  const seen = new Set<string>();
  for (let next: string | null = start; next !== null && !seen.has(next); ) {
    if (next === id) throw invalidField(FIELD, 'A channel cannot fall back to itself, also not over other channels.');
    seen.add(next);
    next = channels.get(next)?.fallbackChannelId ?? null;
  }
}

/**
 * Sets the channel that gets a channel's messages while it fails; null for the team's fallback channel.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (no such channel, a cycle, or `id` is the team's fallback channel)
 */
export async function setFallback({ ctx, input }: Call<SetFallbackInput>): Promise<Channel> {
  const { id: teamId } = ctx.team;
  const { id, fallbackChannelId } = input;
  return ctx.db.$transaction(async (tx) => {
    // Locks the team, so that two concurrent changes cannot create a cycle.
    await lockTeam(tx, teamId);
    await lockChannel(tx, teamId, id);
    const row = await findChannel(tx, teamId, id);
    if (row.fallbackChannelId === fallbackChannelId) return toChannel(tx, ctx, row);
    const fallbacks = await readFallbacks(tx, teamId);
    const after = assertChannel(fallbacks, fallbackChannelId);
    if (fallbackChannelId !== null) {
      if (fallbacks.ofTeam === id) throw invalidField(FIELD, "The team's fallback channel cannot have a fallback.");
      assertNoCycle(fallbacks, id, fallbackChannelId);
    }
    const { updatedAt } = row;
    // The version stays, because the settings that forms compare did not change.
    const updated = await tx.channel.update({ where: { id }, data: { fallbackChannelId, updatedAt } });
    await recordAudit(tx, ctx, {
      teamId,
      action: 'channel.update',
      target: { type: 'channel', id, name: row.name },
      before: { fallback: nameOf(fallbacks, row.fallbackChannelId) },
      after: { fallback: after },
    });
    await notify(tx, { team: teamId, kind: 'channel', ids: [id] });
    return toChannel(tx, ctx, updated);
  });
}

/** Returns the channel that gets the messages of a team's failing channels; null for none. */
export async function readTeamFallback(ctx: TeamContext): Promise<TeamFallback> {
  const where = { id: ctx.team.id };
  return ctx.db.team.findUniqueOrThrow({ where, select: { fallbackChannelId: true } });
}

/**
 * Sets the channel that gets the messages of failing channels without their own fallback; null for none.
 * @throws AppError VALIDATION_ERROR (no such channel, or one that has a fallback itself)
 */
export async function setTeamFallback({ ctx, input }: Call<TeamFallback>): Promise<TeamFallback> {
  const { id: teamId, name } = ctx.team;
  const { fallbackChannelId } = input;
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    const fallbacks = await readFallbacks(tx, teamId);
    if (fallbacks.ofTeam === fallbackChannelId) return;
    const after = assertChannel(fallbacks, fallbackChannelId);
    if (fallbackChannelId !== null && fallbacks.channels.get(fallbackChannelId)?.fallbackChannelId) {
      throw invalidField(FIELD, 'This channel has a fallback itself. Remove that first.');
    }
    await tx.team.update({ where: { id: teamId }, data: { fallbackChannelId } });
    await recordAudit(tx, ctx, {
      teamId,
      action: 'channel.fallback',
      target: { type: 'team', id: teamId, name },
      before: { fallback: nameOf(fallbacks, fallbacks.ofTeam) },
      after: { fallback: after },
    });
    await notify(tx, { team: teamId, kind: 'channel', ids: [...fallbacks.channels.keys()] });
  });
  return input;
}
