import { settingExternalId } from '@/server/external-ids/setting-external-id';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertReachable } from './assert-reachable';
import { auditChannel } from './audit-channel';
import { sealConfig } from './config-secrets';
import { requestConfirmation } from './confirmations/request-confirmation';
import { completeConfig } from './providers';
import { toChannel } from './queries';
import { Channel, type CreateChannelInput } from './schema';

/** The maximum number of channels on every plan, because one event writes a message per channel. */
export const MAX_CHANNELS = 100;

/** The maximum number of contact methods of each member, on every plan. */
const MAX_CONTACT_METHODS = 10;

async function assertRoom(tx: Tx, teamId: string): Promise<void> {
  await lockTeam(tx, teamId);
  const count = await tx.channel.count({ where: { teamId, ownerId: null } });
  if (count >= MAX_CHANNELS)
    throw new AppError('PLAN_LIMIT_REACHED', `A team can have at most ${MAX_CHANNELS} channels.`);
}

/**
 * Returns the position after the owner's existing contact methods. Locks the team, so that two requests cannot exceed the limit.
 * @throws AppError PLAN_LIMIT_REACHED
 */
async function nextPosition(tx: Tx, teamId: string, ownerId: string): Promise<number> {
  await lockTeam(tx, teamId);
  const own = await tx.channel.aggregate({ where: { teamId, ownerId }, _count: true, _max: { position: true } });
  if (own._count >= MAX_CONTACT_METHODS) {
    throw new AppError('PLAN_LIMIT_REACHED', `You can have at most ${MAX_CONTACT_METHODS} contact methods.`);
  }
  return (own._max.position ?? -1) + 1;
}

/**
 * Creates a channel. Mails a confirmation link to an email address that is not confirmed. Generates the secret of a webhook if the input has none;
 * only this response shows it.
 * @param made `own` creates a contact method of the caller; `id` sets the ID, so that an interrupted import can find the channel
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR
 */
export async function createChannel(
  { ctx, input }: Call<CreateChannelInput>,
  { own = null, id = newId() }: { own?: { delayMinutes: number } | null; id?: string } = {},
): Promise<Channel> {
  const { id: teamId } = ctx.team;
  const complete = completeConfig(input.type, input.config);
  assertReachable(complete);
  const config = sealConfig(input.type, complete);
  const create = async (tx: Tx) => {
    const { type, name, externalId = null } = input;
    const data = { id, teamId, type, name, externalId, config: config as object };
    const ownerId = ctx.user.id;
    if (!own) await assertRoom(tx, teamId);
    const place = own && { ...own, ownerId, position: await nextPosition(tx, teamId, ownerId) };
    const created = await tx.channel.create({ data: { ...data, ...place } });
    await auditChannel(tx, ctx, 'channel.create', null, created);
    await requestConfirmation(tx, { ...created, teamId });
    await notify(tx, { team: teamId, kind: 'channel', ids: [created.id] });
    return toChannel(tx, ctx, created);
  };
  const channel = await settingExternalId('notification channel', () => ctx.db.$transaction(create));
  const generated = Object.entries(complete).filter(([field]) => !Object.hasOwn(input.config, field));
  return Channel.parse({ ...channel, config: { ...channel.config, ...Object.fromEntries(generated) } });
}
