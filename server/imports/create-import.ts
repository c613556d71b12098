import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { findImport, toImport } from './queries';
import type { CreateImportInput, Import } from './schema';

/** The maximum number of files of a team that wait for their import; a further one replaces the oldest. */
const MOST_WAITING = 3;

/** Starts an import, whose file follows in parts. */
export async function createImport({ ctx, input }: Call<CreateImportInput>): Promise<Import> {
  const { team } = ctx;
  const id = newId();
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    const waiting = await tx.import.findMany({
      where: { teamId: team.id, state: { in: ['uploading', 'ready'] } },
      orderBy: { id: 'desc' },
      skip: MOST_WAITING - 1,
      select: { id: true },
    });
    await tx.import.deleteMany({ where: { id: { in: waiting.map((row) => row.id) } } });
    const { source, fileName, bytes } = input;
    const authorName = ctx.user.name ?? ctx.user.email;
    await tx.import.create({ data: { id, teamId: team.id, source, fileName, bytes, authorName } });
  });
  return toImport(ctx.db, await findImport(ctx.db, team.id, id));
}
