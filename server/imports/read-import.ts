import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';
import { seal, unseal } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import { AppError, invalidField } from '@/server/platform/errors';
import { FairPool } from '@/server/platform/fair-pool';
import { takeLoopTurn } from '@/server/platform/loop-share';
import type { Call } from '@/server/trpc/contexts';
import type { Draft } from './draft';
import { previewImport } from './preview-import';
import { findImport, type ImportRow, inOtherState } from './queries';
import { readFileTask } from './read-file-task';
import { type Columns, type ImportPreview, type ImportSource, type ReadImportInput, sourceOf } from './schema';

/** Files are read one at a time, so that the other thread for bounded tasks stays free for short ones. */
const reading = new FairPool({ kind: 'import', slots: 1 });

/**
 * Joins the parts of a file. Decrypts one part per turn, because decrypting all at once would block this thread for half a second.
 * @throws AppError EDIT_CONFLICT if the upload is incomplete
 */
async function joinParts(db: Db, { id, teamId, bytes }: ImportRow): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let size = 0; size < bytes; ) {
    const key = { importId_position: { importId: id, position: parts.length } };
    const part = await db.importPart.findUnique({ where: key, select: { data: true } });
    if (!part) break;
    await takeLoopTurn(teamId);
    const data = Buffer.from(unseal(part.data), 'base64');
    size += data.length;
    parts.push(data);
  }
  const file = Buffer.concat(parts);
  if (file.length !== bytes) throw inOtherState('The upload is incomplete. Upload the file again.');
  return file;
}

/**
 * Converts the uploaded file to a draft. Deletes a file that cannot be read, so that it is not read again and again; keeps it if only a field of the
 * request is wrong.
 * @throws AppError VALIDATION_ERROR, EDIT_CONFLICT
 */
async function readFile(db: Db, row: ImportRow, columns: Columns | undefined): Promise<Draft> {
  const team = row.teamId;
  const refuse = async (message: string, field?: string): Promise<never> => {
    if (field) throw invalidField(field, message);
    await db.importPart.deleteMany({ where: { importId: row.id } });
    throw new AppError('VALIDATION_ERROR', message);
  };
  try {
    const read = await reading.run({ team }, async () => {
      const input = { source: row.source as ImportSource, file: await joinParts(db, row), now: new Date(), columns };
      return runBounded(readFileTask, input, { team });
    });
    return 'draft' in read ? read.draft : await refuse(read.problem, read.field);
  } catch (error) {
    if (error instanceof LimitError) return refuse(`The file is too large to read: ${error.message.toLowerCase()}.`);
    throw error;
  }
}

/**
 * Reads the uploaded file of an import, stores the draft, and deletes the file, also if it cannot be read. Creates no objects. If it was read before,
 * returns the preview again.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, VALIDATION_ERROR for a file that cannot be read
 */
export async function readImport({ ctx, input: { id, columns } }: Call<ReadImportInput>): Promise<ImportPreview> {
  const row = await findImport(ctx.db, ctx.team.id, id);
  if (row.state === 'ready') return previewImport({ ctx, input: { id } });
  if (row.state !== 'uploading') throw inOtherState('This import has started.');
  const source = row.source as ImportSource;
  if (columns && !sourceOf(source).hasColumns) {
    throw new AppError('VALIDATION_ERROR', `A file of ${sourceOf(source).label} has no columns to choose.`);
  }
  const draft = await readFile(ctx.db, row, columns);
  await takeLoopTurn(ctx.team.id);
  const ready = { state: 'ready' as const, draft: seal(JSON.stringify(draft)) };
  await ctx.db.$transaction(async (tx) => {
    await tx.import.updateMany({ where: { id: row.id, state: 'uploading' }, data: ready });
    await tx.importPart.deleteMany({ where: { importId: row.id } });
  });
  return previewImport({ ctx, input: { id } });
}
