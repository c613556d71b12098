import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { Channel as ChannelRow } from '@/server/platform/generated/prisma/client';
import type { TeamContext } from '@/server/trpc/contexts';
import { maskChanged, maskConfig } from './config-secrets';

/** Writes a change of a channel to the audit log, with secrets masked. */
export async function auditChannel(
  tx: Tx,
  ctx: TeamContext,
  action: 'channel.create' | 'channel.update' | 'channel.delete',
  before: ChannelRow | null,
  after: ChannelRow | null,
): Promise<void> {
  const shown = ({ type, name }: ChannelRow, config: Record<string, string>) => ({ type, name, config });
  const row = after ?? before;
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action,
    target: { type: 'channel', id: row?.id ?? null, name: row?.name ?? null },
    before: before && shown(before, maskConfig(before.type, before.config)),
    after: after && shown(after, maskChanged(after.type, after.config, before?.config ?? {})),
  });
}
