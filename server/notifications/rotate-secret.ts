import { nextVersion } from '@/server/audit/assert-unchanged';
import { recordAudit } from '@/server/audit/record-audit';
import { databaseNow } from '@/server/platform/database-now';
import { invalidField } from '@/server/platform/errors';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { notify } from '@/server/platform/listen';
import { lockChannel } from '@/server/platform/locks';
import { type SealedSecret, sealSecret } from '@/server/platform/secrets';
import { HOUR_MS } from '@/server/time/schema';
import type { Call, OnOneObject } from '@/server/trpc/contexts';
import { maskConfig, type StoredConfig } from './config-secrets';
import { channelDefinitionOf } from './providers/definitions';
import { newWebhookSecret } from './providers/webhook/signature';
import { findChannel, readChannel, toChannel } from './queries';
import { Channel, type RotateSecretInput } from './schema';

const toSealed = (secret: string | SealedSecret) => (typeof secret === 'string' ? sealSecret(secret) : secret);

/** The update that removes a previous secret. */
export const withoutPrevious = { previousSecret: Prisma.DbNull, previousSecretUntil: null };

/**
 * Replaces the signing secret of a channel with a generated one, which only this response shows. Messages are signed with both for `graceHours`; a
 * secret from an earlier rotation ends.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (a kind that does not sign)
 */
export async function rotateSecret({ ctx, input }: Call<RotateSecretInput>): Promise<Channel> {
  const { id: teamId } = ctx.team;
  const { id, graceHours } = input;
  const secret = newWebhookSecret();
  return ctx.db.$transaction(async (tx) => {
    await lockChannel(tx, teamId, id);
    const row = await findChannel(tx, teamId, id);
    const { signingSecret: field, label } = channelDefinitionOf(row.type);
    if (!field) throw invalidField('id', `${label} messages are not signed.`);
    const former = (row.config as StoredConfig)[field];
    const config = { ...(row.config as StoredConfig), [field]: sealSecret(secret) };
    const until = new Date((await databaseNow(tx)).getTime() + graceHours * HOUR_MS);
    const keeps = graceHours > 0 && former !== undefined;
    const previous = keeps ? { previousSecret: toSealed(former), previousSecretUntil: until } : withoutPrevious;
    const data = { config, ...previous, updatedAt: nextVersion(row.updatedAt) };
    const updated = await tx.channel.update({ where: { id }, data });
    await recordAudit(tx, ctx, {
      teamId,
      action: 'channel.rotate_secret',
      target: { type: 'channel', id, name: row.name },
      before: { [field]: maskConfig(row.type, row.config)[field] ?? null },
      after: {
        [field]: maskConfig(row.type, config)[field] ?? null,
        formerSecretUntil: keeps ? until.toISOString() : null,
      },
    });
    await notify(tx, { team: teamId, kind: 'channel', ids: [id] });
    const channel = await toChannel(tx, ctx, updated);
    return Channel.parse({ ...channel, config: { ...channel.config, [field]: secret } });
  });
}

/**
 * Ends the previous signing secret at once. Changes nothing if there is none.
 * @throws AppError NOT_FOUND
 */
export async function endPreviousSecret({ ctx, input: { id } }: OnOneObject): Promise<Channel> {
  const { id: teamId } = ctx.team;
  await ctx.db.$transaction(async (tx) => {
    await lockChannel(tx, teamId, id);
    const row = await findChannel(tx, teamId, id);
    if (row.previousSecretUntil === null) return;
    const { updatedAt } = row;
    // The version stays, because the settings that forms compare did not change.
    await tx.channel.update({ where: { id }, data: { ...withoutPrevious, updatedAt } });
    await recordAudit(tx, ctx, {
      teamId,
      action: 'channel.end_secret',
      target: { type: 'channel', id, name: row.name },
      before: { formerSecretUntil: row.previousSecretUntil.toISOString() },
      after: { formerSecretUntil: null },
    });
    await notify(tx, { team: teamId, kind: 'channel', ids: [id] });
  });
  return readChannel({ ctx, input: { id } });
}
