import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { IncidentUpdate as UpdateRow } from '@/server/platform/generated/prisma/client';
import { notify } from '@/server/platform/listen';
import { lockIncident } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import type { DeleteUpdateInput, EditUpdateInput, IncidentUpdate } from '../schema';
import { toUpdate } from '../to-incident';

/**
 * Locks an incident and reads one of its notes that a person or a script added.
 * @throws AppError NOT_FOUND
 */
async function lockWithNote(tx: Tx, teamId: string, { id, updateId }: DeleteUpdateInput) {
  await lockIncident(tx, teamId, id);
  const note = await tx.incidentUpdate.findFirst({
    where: { id: updateId, kind: 'note', authorName: { not: null }, incident: { id, teamId } },
    include: { incident: { select: { title: true } } },
  });
  if (!note) throw new AppError('NOT_FOUND', 'There is no such note.');
  return note;
}

/** Writes the change or the deletion (`after` is null) of a note to the audit log, and sends a live event. */
async function recordChange(
  tx: Tx,
  ctx: TeamContext,
  note: Awaited<ReturnType<typeof lockWithNote>>,
  after: UpdateRow | null,
): Promise<void> {
  const shown = ({ message, authorName, isPublic }: UpdateRow) => ({ message, authorName, isPublic });
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action: after ? 'incident.note_update' : 'incident.note_delete',
    target: { type: 'incident', id: note.incidentId, name: note.incident.title },
    before: shown(note),
    after: after && shown(after),
  });
  await notify(tx, { team: ctx.team.id, kind: 'incident', ids: [note.incidentId] });
}

/**
 * Shows a note on status pages, or hides it. Writes nothing if nothing changes.
 * @throws AppError NOT_FOUND
 */
export async function editUpdate({ ctx, input }: Call<EditUpdateInput>): Promise<IncidentUpdate> {
  const { isPublic } = input;
  return ctx.db.$transaction(async (tx) => {
    const note = await lockWithNote(tx, ctx.team.id, input);
    if (note.isPublic === isPublic) return toUpdate(note);
    const row = await tx.incidentUpdate.update({ where: { id: note.id }, data: { isPublic } });
    await recordChange(tx, ctx, note, row);
    return toUpdate(row);
  });
}

/**
 * Deletes a note, also from status pages. Its text stays in the audit log.
 * @throws AppError NOT_FOUND
 */
export async function deleteUpdate({ ctx, input }: Call<DeleteUpdateInput>): Promise<{ ok: true }> {
  await ctx.db.$transaction(async (tx) => {
    const note = await lockWithNote(tx, ctx.team.id, input);
    await tx.incidentUpdate.delete({ where: { id: note.id } });
    await recordChange(tx, ctx, note, null);
  });
  return { ok: true };
}
