import { recordAudit } from '@/server/audit/record-audit';
import { invalidField } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import { lockChannel } from '@/server/platform/locks';
import type { Call, OnOneObject } from '@/server/trpc/contexts';
import { channelDefinitionOf } from '../providers/definitions';
import { findChannel } from '../queries';
import { ChannelTemplates, type SetTemplatesInput } from '../schema';

/**
 * Returns the templates of a channel.
 * @throws AppError NOT_FOUND
 */
export async function readTemplates({ ctx, input: { id } }: OnOneObject): Promise<ChannelTemplates> {
  return ChannelTemplates.parse((await findChannel(ctx.db, ctx.team.id, id)).templates);
}

/**
 * Replaces the templates of a channel. They also apply to pending messages.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (for a kind whose receiver gets the events as data)
 */
export async function setTemplates({
  ctx,
  input: { id, templates },
}: Call<SetTemplatesInput>): Promise<ChannelTemplates> {
  const { id: teamId } = ctx.team;
  return ctx.db.$transaction(async (tx) => {
    await lockChannel(tx, teamId, id);
    const { type, name, templates: stored, updatedAt } = await findChannel(tx, teamId, id);
    const { label, mirrorsIncidents } = channelDefinitionOf(type);
    if (mirrorsIncidents && templates.length > 0) {
      throw invalidField('templates', `${label} gets every event as it is. Templates are for messages to people.`);
    }
    const before = ChannelTemplates.parse(stored);
    if (JSON.stringify(before) === JSON.stringify(templates)) return templates;
    // The channel's version stays, because the settings that forms compare did not change.
    await tx.channel.update({ where: { id }, data: { templates, updatedAt } });
    const target = { type: 'channel', id, name };
    await recordAudit(tx, ctx, {
      teamId,
      action: 'channel.update',
      target,
      before: { templates: before },
      after: { templates },
    });
    await notify(tx, { team: teamId, kind: 'channel', ids: [id] });
    return templates;
  });
}
