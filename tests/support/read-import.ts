import type { Draft } from '@/server/imports/draft';
import { readFileTask } from '@/server/imports/read-file-task';
import type { Columns, ImportSource } from '@/server/imports/schema';

/** The time at which files are read. */
export const now = new Date('2026-11-27T08:00:00Z');

/** What the task of an import returns for a file. The first call loads the schemas of all objects. */
export function tryImport(source: ImportSource, content: string | Uint8Array, columns?: Columns) {
  const file = typeof content === 'string' ? Buffer.from(content) : content;
  return readFileTask.run({ source, file, now, columns });
}

/** The draft of a file; throws why it cannot be read. */
export async function readImport(
  source: ImportSource,
  content: string | Uint8Array,
  columns?: Columns,
): Promise<Draft> {
  const result = await tryImport(source, content, columns);
  if ('problem' in result) throw new Error(result.problem);
  return result.draft;
}
