import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { IncidentPostmortem } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockIncident } from '@/server/platform/locks';
import { MARKDOWN_VERSION } from '@/server/text/render-markdown';
import type { Call, OnOneObject, TeamContext } from '@/server/trpc/contexts';
import { isStronger } from '@/server/trpc/schema';
import { incidentNotFound } from '../queries';
import type { Postmortem, PutPostmortemInput } from '../schema';
import { htmlOf, htmlOfText } from './postmortem-html';

function toPostmortem(row: IncidentPostmortem): Postmortem {
  const { body, authorName, publishedAt, updatedAt } = row;
  return {
    body,
    html: htmlOf(row),
    authorName,
    isPublished: publishedAt !== null,
    publishedAt: publishedAt?.toISOString() ?? null,
    updatedAt: updatedAt.toISOString(),
  };
}

/** Returns whether the caller sees drafts: all roles except viewers do. */
export const seesDrafts = ({ team }: Pick<TeamContext, 'team'>) => isStronger(team.role, 'viewer');

/**
 * Returns the postmortem of an incident; null if there is none, or if it is a draft that the caller may not see.
 * @throws AppError NOT_FOUND
 */
export async function getPostmortem({ ctx, input: { id } }: OnOneObject): Promise<Postmortem | null> {
  const incident = await ctx.db.incident.findFirst({
    where: { id, teamId: ctx.team.id },
    select: { postmortem: true },
  });
  if (!incident) throw incidentNotFound();
  const { postmortem } = incident;
  return postmortem && (postmortem.publishedAt || seesDrafts(ctx)) ? toPostmortem(postmortem) : null;
}

async function audit(
  tx: Tx,
  ctx: TeamContext,
  id: string,
  name: string | null,
  [before, after]: (Postmortem | null)[],
) {
  const shown = (side: Postmortem | null | undefined) => side && { body: side.body, isPublished: side.isPublished };
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action: after ? 'incident.postmortem' : 'incident.postmortem_delete',
    target: { type: 'incident', id, name },
    before: shown(before) ?? null,
    after: shown(after) ?? null,
  });
}

/** Locks an incident and reads its postmortem. */
async function lockWithPostmortem(tx: Tx, teamId: string, id: string) {
  await lockIncident(tx, teamId, id);
  const incident = await tx.incident.findFirst({ where: { id, teamId }, include: { postmortem: true } });
  if (!incident) throw incidentNotFound();
  return incident;
}

/**
 * Creates or changes the postmortem of an incident in any status. Publishing it adds a line to the timeline. Sends no notifications, and writes
 * nothing if nothing changes.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR (a text that exceeds the limits of the renderer)
 */
export async function putPostmortem({
  ctx,
  input: { id, body, isPublished, ifUpdatedAt },
}: Call<PutPostmortemInput>): Promise<Postmortem> {
  const { team, user } = ctx;
  const html = await htmlOfText(team.id, body);
  return ctx.db.$transaction(async (tx) => {
    const { postmortem, title } = await lockWithPostmortem(tx, team.id, id);
    if (postmortem) {
      const held = { teamId: team.id, id, updatedAt: postmortem.updatedAt };
      await assertUnchanged(tx, held, ifUpdatedAt);
    }
    const before = postmortem && toPostmortem(postmortem);
    if (before && before.body === body && before.isPublished === isPublished) return before;
    const authorName = user.name ?? user.email;
    const updatedAt = postmortem ? nextVersion(postmortem.updatedAt) : new Date();
    const publishedAt = isPublished ? (postmortem?.publishedAt ?? updatedAt) : null;
    const data = { body, html, htmlVersion: MARKDOWN_VERSION, authorName, publishedAt, updatedAt };
    const row = await tx.incidentPostmortem.upsert({
      where: { incidentId: id },
      create: { incidentId: id, ...data },
      update: data,
    });
    if (isPublished && !before?.isPublished) {
      const message = `${authorName} published the postmortem.`;
      await tx.incidentUpdate.create({
        data: { id: newId(), incidentId: id, kind: 'changed', message, authorName, at: updatedAt },
      });
    }
    const after = toPostmortem(row);
    await audit(tx, ctx, id, title, [before, after]);
    await notify(tx, { team: team.id, kind: 'incident', ids: [id] });
    return after;
  });
}

/**
 * Deletes the postmortem of an incident.
 * @throws AppError NOT_FOUND (no such incident, or it has no postmortem)
 */
export async function deletePostmortem({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  await ctx.db.$transaction(async (tx) => {
    const { postmortem, title } = await lockWithPostmortem(tx, ctx.team.id, id);
    if (!postmortem) throw new AppError('NOT_FOUND', 'This incident has no postmortem.');
    await tx.incidentPostmortem.delete({ where: { incidentId: id } });
    await audit(tx, ctx, id, title, [toPostmortem(postmortem), null]);
    await notify(tx, { team: ctx.team.id, kind: 'incident', ids: [id] });
  });
  return { ok: true };
}
