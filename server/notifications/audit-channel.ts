import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { Channel as ChannelRow } from '@/server/platform/generated/prisma/client';
import type { TeamContext } from '@/server/trpc/contexts';
import { maskChanged, maskConfig } from './config-secrets';

/**
 * Writes a change of a channel to the audit log, with secrets masked. The config of a contact method is left out, because it is private to its
 * owner.
 */
export async function auditChannel(
  tx: Tx,
  ctx: TeamContext,
  action: 'channel.create' | 'channel.update' | 'channel.delete',
  before: ChannelRow | null,
  after: ChannelRow | null,
): Promise<void> {
  const row = after ?? before;
  const isOwn = row?.ownerId != null;
  const shown = ({ type, name, externalId, delayMinutes }: ChannelRow, config: Record<string, string>) =>
    isOwn ? { type, name, delayMinutes } : { type, name, config, ...(externalId !== null && { externalId }) };
  const type = isOwn ? 'contact_method' : 'channel';
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action: action.replace('channel', type),
    target: { type, id: row?.id ?? null, name: row?.name ?? null },
    before: before && shown(before, maskConfig(before.type, before.config)),
    after: after && shown(after, maskChanged(after.type, after.config, before?.config ?? {})),
  });
}
