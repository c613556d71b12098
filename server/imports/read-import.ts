import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';
import { seal, unseal } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import { FairPool } from '@/server/platform/fair-pool';
import type { OnOneObject } from '@/server/trpc/contexts';
import type { Draft } from './draft';
import { previewImport } from './preview-import';
import { findImport, inOtherState } from './queries';
import { readFileTask } from './read-file-task';
import type { ImportPreview, ImportSource } from './schema';

/** Files are read one at a time, so that the other thread for bounded tasks stays free for short ones. */
const reading = new FairPool({ kind: 'import', places: 1 });

const unreadable = (message: string) => new AppError('VALIDATION_ERROR', message);

async function readFile(team: string, source: ImportSource, file: Buffer): Promise<Draft> {
  try {
    const read = await reading.run({ team }, () =>
      runBounded(readFileTask, { source, file, now: new Date() }, { team }),
    );
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
  const { team } = ctx;
  const row = await findImport(ctx.db, team.id, input.id);
  if (row.state === 'ready') return previewImport({ ctx, input });
  if (row.state !== 'uploading') throw inOtherState('This import has started.');
  const parts = await ctx.db.importPart.findMany({ where: { importId: row.id }, orderBy: { position: 'asc' } });
  const file = Buffer.concat(parts.map(({ data }) => Buffer.from(unseal(data), 'base64')));
  if (file.length !== row.bytes) throw inOtherState('The upload is incomplete. Upload the file again.');
  const draft = await readFile(team.id, row.source as ImportSource, file);
  await ctx.db.$transaction(async (tx) => {
    const ready = { state: 'ready' as const, draft: seal(JSON.stringify(draft)) };
    await tx.import.updateMany({ where: { id: row.id, state: 'uploading' }, data: ready });
    await tx.importPart.deleteMany({ where: { importId: row.id } });
  });
  return previewImport({ ctx, input });
}
