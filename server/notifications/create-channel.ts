import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { assertReachable } from './assert-reachable';
import { auditChannel } from './audit-channel';
import { sealConfig } from './config-secrets';
import { completeConfig } from './providers';
import { toChannel } from './queries';
import { requestConfirmation } from './request-confirmation';
import { Channel, type CreateChannelInput } from './schema';

/** On every plan: one event writes a message per channel. */
export const MAX_CHANNELS = 100;

async function assertRoom(tx: Tx, teamId: string): Promise<void> {
  await lockTeam(tx, teamId);
  const count = await tx.channel.count({ where: { teamId } });
  if (count >= MAX_CHANNELS)
    throw new AppError('PLAN_LIMIT_REACHED', `A team can have at most ${MAX_CHANNELS} channels.`);
}

/**
 * Creates a channel. Asks the address of an email channel for confirmation. Generates the secret of a webhook without one; only this response shows
 * it.
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR
 */
export async function createChannel({ ctx, input }: { ctx: TeamContext; input: CreateChannelInput }): Promise<Channel> {
  const { id: teamId } = ctx.team;
  const complete = completeConfig(input.type, input.config);
  assertReachable(complete);
  const config = sealConfig(input.type, complete);
  const channel = await ctx.db.$transaction(async (tx) => {
    await assertRoom(tx, teamId);
    const data = { id: newId(), teamId, type: input.type, name: input.name, config: config as object };
    const created = await tx.channel.create({ data });
    await auditChannel(tx, ctx, 'channel.create', null, created);
    await requestConfirmation(tx, created);
    await notify(tx, { team: teamId, kind: 'channel', ids: [created.id] });
    return toChannel(tx, ctx, created);
  });
  const generated = Object.entries(complete).filter(([field]) => !Object.hasOwn(input.config, field));
  return Channel.parse({ ...channel, config: { ...channel.config, ...Object.fromEntries(generated) } });
}
