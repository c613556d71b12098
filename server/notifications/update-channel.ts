import { assertReadOnly } from '@/server/audit/assert-read-only';
import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { changesNothing } from '@/server/audit/changes-nothing';
import { settingExternalId } from '@/server/external-ids/setting-external-id';
import type { Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { notify } from '@/server/platform/listen';
import { lockChannel } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertReachable } from './assert-reachable';
import { auditChannel } from './audit-channel';
import { isSameConfig, parseConfig, type StoredConfig, sealConfig } from './config-secrets';
import { requestConfirmation } from './confirmations/request-confirmation';
import { type ChannelType, recipientOf } from './providers/definitions';
import { findChannel, toChannel } from './queries';
import { withoutPrevious } from './rotate-secret';
import type { Channel, UpdateChannelInput } from './schema';

function newConfig(type: ChannelType, given: Record<string, unknown>, stored: unknown): StoredConfig {
  const config = parseConfig(type, given);
  assertReachable(config);
  return sealConfig(type, config, stored as StoredConfig);
}

/**
 * Updates a channel; its type cannot change. Writes nothing if nothing changes. A new address of an email channel has to
 * confirm. Pending messages use the new config.
 * @param own for a contact method of the caller instead of a channel of the team
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR
 */
export async function updateChannel(
  { ctx, input }: Call<UpdateChannelInput>,
  own: { delayMinutes: number | undefined } | null = null,
): Promise<Channel> {
  const { id: teamId } = ctx.team;
  const { id, name, config, externalId, ifUpdatedAt } = input;
  const update = async (tx: Tx) => {
    // Locks the channel, so that a mask keeps the latest secret.
    await lockChannel(tx, teamId, id);
    const row = await findChannel(tx, teamId, id, own && ctx.user.id);
    await assertUnchanged(tx, { ...row, teamId }, ifUpdatedAt);
    if (!own) assertReadOnly(input, { ...row, createdAt: row.createdAt.toISOString() });
    const sealed = config === undefined ? undefined : newConfig(row.type, config, row.config);
    const isNew = sealed !== undefined && !isSameConfig(sealed, row.config as StoredConfig);
    const delayMinutes = own?.delayMinutes;
    if (!isNew && changesNothing(row, { name, externalId, delayMinutes })) return toChannel(tx, ctx, row);
    const data: Prisma.ChannelUpdateInput = { updatedAt: nextVersion(row.updatedAt) };
    if (name !== undefined) data.name = name;
    if (externalId !== undefined) data.externalId = externalId;
    if (delayMinutes !== undefined) data.delayMinutes = delayMinutes;
    if (isNew) data.config = sealed;
    // Another receiver did not ask for the pause.
    if (isNew) data.retryAfter = null;
    // A previous secret must not sign for another receiver, nor beside a secret that a user chose.
    if (isNew) Object.assign(data, withoutPrevious);
    const updated = await tx.channel.update({ where: { id }, data });
    await auditChannel(tx, ctx, 'channel.update', row, updated);
    if (isNew && recipientOf(updated) !== recipientOf(row)) await requestConfirmation(tx, { ...updated, teamId });
    await notify(tx, { team: teamId, kind: 'channel', ids: [id] });
    return toChannel(tx, ctx, updated);
  };
  return settingExternalId('notification channel', () => ctx.db.$transaction(update));
}
