import { seal } from '@/server/platform/crypto';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { findImport, inOtherState } from './queries';
import type { AddPartInput } from './schema';

/**
 * Stores a part of an import's file, encrypted. Replaces a part with the same position.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT if the file was already read
 */
export async function addPart({ ctx, input }: Call<AddPartInput>): Promise<{ ok: true }> {
  const { id, position } = input;
  const data = seal(input.data);
  const key = { importId_position: { importId: id, position } };
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, ctx.team.id);
    const row = await findImport(tx, ctx.team.id, id);
    if (row.state !== 'uploading') throw inOtherState('The file of this import is complete.');
    await tx.importPart.upsert({ where: key, create: { importId: id, position, data }, update: { data } });
  });
  return { ok: true };
}
