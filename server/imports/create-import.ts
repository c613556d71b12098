import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { findImport, inOtherState, toImport } from './queries';
import { type CreateImportInput, type Import, MOST_ENDED } from './schema';

/** The maximum number of imports of a team that have a file. Above it, a new import replaces the oldest one that has not started. */
const MOST_OPEN = 3;
/** The maximum number of ended imports that are deleted at once, with 5,000 items each. */
const MOST_FORGOTTEN = 3;

/**
 * Creates an import, whose file follows in parts. Deletes the oldest ones above the limits of waiting and ended imports.
 * @throws AppError EDIT_CONFLICT while `MOST_OPEN` imports are running
 */
export async function createImport({ ctx, input }: Call<CreateImportInput>): Promise<Import> {
  const { team } = ctx;
  const id = newId();
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    const running = await tx.import.count({ where: { teamId: team.id, state: 'running' } });
    if (running >= MOST_OPEN) throw inOtherState(`${running} imports are running. Finish or undo them first.`);
    const waiting = await tx.import.findMany({
      where: { teamId: team.id, state: { in: ['uploading', 'ready'] } },
      orderBy: { id: 'desc' },
      skip: MOST_OPEN - running - 1,
      select: { id: true },
    });
    const ended = await tx.import.findMany({
      where: { teamId: team.id, state: { in: ['done', 'undone'] } },
      orderBy: { id: 'desc' },
      skip: MOST_ENDED,
      take: MOST_FORGOTTEN,
      select: { id: true },
    });
    await tx.import.deleteMany({ where: { id: { in: [...waiting, ...ended].map((row) => row.id) } } });
    const { source, fileName, bytes } = input;
    const authorName = ctx.user.name ?? ctx.user.email;
    await tx.import.create({ data: { id, teamId: team.id, source, fileName, bytes, authorName } });
  });
  return toImport(ctx.db, await findImport(ctx.db, team.id, id));
}
