import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';
import { seal, unseal } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { FairPool } from '@/server/platform/fair-pool';
import type { OnOneObject } from '@/server/trpc/contexts';
import type { Draft } from './draft';
import { previewImport } from './preview-import';
import { findImport, type ImportRow, inOtherState } from './queries';
import { readFileTask } from './read-file-task';
import type { ImportPreview, ImportSource } from './schema';

/** Files are read one at a time, so that the other thread for bounded tasks stays free for short ones. */
const reading = new FairPool({ kind: 'import', places: 1 });

const unreadable = (message: string) => new AppError('VALIDATION_ERROR', message);

/** The complete file, from its parts. */
async function joinParts(db: Db, { id, bytes }: ImportRow): Promise<Buffer> {
  const parts = await db.importPart.findMany({ where: { importId: id }, orderBy: { position: 'asc' } });
  const file = Buffer.concat(parts.map(({ data }) => Buffer.from(unseal(data), 'base64')));
  if (file.length !== bytes) throw inOtherState('The upload is incomplete. Upload the file again.');
  return file;
}

async function readFile(db: Db, row: ImportRow): Promise<Draft> {
  const team = row.teamId;
  try {
    const read = await reading.run({ team }, async () => {
      const input = { source: row.source as ImportSource, file: await joinParts(db, row), now: new Date() };
      return runBounded(readFileTask, input, { team });
    });
    if ('draft' in read) return read.draft;
    throw unreadable(read.problem);
  } catch (error) {
    if (error instanceof LimitError) throw unreadable(`The file is too large to read: ${error.message.toLowerCase()}.`);
    throw error;
  }
}

/**
 * Reads the uploaded file of an import, and deletes it. Nothing is created.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR for a file that cannot be read
 */
export async function readImport({ ctx, input }: OnOneObject): Promise<ImportPreview> {
  const row = await findImport(ctx.db, ctx.team.id, input.id);
  if (row.state === 'ready') return previewImport({ ctx, input });
  if (row.state !== 'uploading') throw inOtherState('This import has started.');
  const draft = await readFile(ctx.db, row);
  await ctx.db.$transaction(async (tx) => {
    const ready = { state: 'ready' as const, draft: seal(JSON.stringify(draft)) };
    await tx.import.updateMany({ where: { id: row.id, state: 'uploading' }, data: ready });
    await tx.importPart.deleteMany({ where: { importId: row.id } });
  });
  return previewImport({ ctx, input });
}
