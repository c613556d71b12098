import { gunzipSync } from 'node:zlib';
import { defineTask } from '@/server/platform/bounded/task';
import type { Draft } from './draft';
import { type Columns, type ImportSource, MOST_DRAFT_BYTES, MOST_FILE_BYTES, MOST_UPLOAD_BYTES } from './schema';

interface ReadFile {
  source: ImportSource;
  file: Uint8Array;
  now: Date;
  columns?: Columns | undefined;
}

/** Decompresses a file if it is gzip. Returns an error message if it is damaged or too large. */
function unzip(file: Buffer): Buffer | string {
  if (file[0] !== 0x1f || file[1] !== 0x8b) return file;
  try {
    return gunzipSync(file, { maxOutputLength: MOST_FILE_BYTES });
  } catch (error) {
    const most = `${MOST_FILE_BYTES / 1024 / 1024} MB`;
    return error instanceof RangeError ? `The file is over ${most}.` : 'The compressed file is damaged.';
  }
}

const TOO_MUCH = `The settings in the file are over ${MOST_DRAFT_BYTES / 1024 / 1024} MB. Remove monitors with large settings, and export it again.`;

/** Why a file cannot be read. `field` is set if the file is fine, but this field of the request is wrong. */
interface Unread {
  problem: string;
  field?: string;
}

/** Converts an uploaded file to a draft, in a process with limits, because files can be built to need any amount of time or memory. */
export const readFileTask = defineTask({
  name: 'read-import',
  budgetMs: 30_000,
  maxInputBytes: MOST_UPLOAD_BYTES + 1024,
  maxOutputBytes: 4 * MOST_DRAFT_BYTES,
  isApart: true,
  async run({ source, file: given, now, columns }: ReadFile): Promise<{ draft: Draft } | Unread> {
    const file = unzip(Buffer.from(given));
    if (typeof file === 'string') return { problem: file };
    // Loaded on demand, so that the threads of other tasks start without the schemas of all objects.
    const { DraftBuilder, UnreadableFile } = await import('./draft');
    const { readers } = await import('./sources/readers');
    const builder = new DraftBuilder();
    try {
      await readers[source](file, builder, { now, ...(columns && { columns }) });
      if (Buffer.byteLength(JSON.stringify(builder.draft)) > MOST_DRAFT_BYTES) return { problem: TOO_MUCH };
      return { draft: builder.draft };
    } catch (error) {
      if (error instanceof UnreadableFile)
        return { problem: error.message, ...(error.field !== null && { field: error.field }) };
      throw error;
    }
  },
});
