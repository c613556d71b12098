import { z } from 'zod';
import { Line } from '@/server/text/schema';
import { type CsvField, MOST_HEADER_CHARACTERS } from './sources/csv/columns';
import { importSources } from './sources/sources';

export { type Columns, type CsvField, csvFields, guessColumns, MOST_HEADER_CHARACTERS } from './sources/csv/columns';
export { readRows } from './sources/csv/parse';
export { type ImportSource, importSources, sourceOf, sources, sourcesByName } from './sources/sources';

/** The largest file, in bytes, before it is compressed. */
export const MOST_FILE_BYTES = 100 * 1024 * 1024;
/** The largest upload, in bytes: a file compressed with gzip, or a small one as it is. */
export const MOST_UPLOAD_BYTES = 30 * 1024 * 1024;
/** The largest draft, in bytes. It is limited because the main thread encrypts and parses it. */
export const MOST_DRAFT_BYTES = 4 * 1024 * 1024;
/** The size of each part of an upload but the last, in bytes. */
export const PART_BYTES = 512 * 1024;

/** How many days an import is kept and can be undone. A file that was not imported is deleted after a day. */
export const KEPT_DAYS = 30;
/** How many ended imports of a team are kept: each has up to 5,000 items. */
export const MOST_ENDED = 20;

export const ImportKind = z.enum(['channel', 'monitor', 'window', 'page']);
export type ImportKind = z.infer<typeof ImportKind>;

export const ImportState = z.enum(['uploading', 'ready', 'running', 'done', 'undoing', 'undone']);
export type ImportState = z.infer<typeof ImportState>;

const ImportOutcome = z.enum(['waiting', 'started', 'created', 'updated', 'kept', 'failed', 'deleted', 'left']);

/** A new import; its file follows in parts. `bytes` is the size of the upload. */
export const CreateImportInput = z.strictObject({
  source: z.enum(importSources),
  fileName: Line.min(1).max(255),
  bytes: z.int().min(1, 'The file is empty.').max(MOST_UPLOAD_BYTES, 'The file is too large.'),
});
export type CreateImportInput = z.infer<typeof CreateImportInput>;

/** A part of the file, in Base64 (RFC 4648 §4). */
export const AddPartInput = z.strictObject({
  id: z.string().max(64),
  position: z
    .int()
    .min(0)
    .max(Math.ceil(MOST_UPLOAD_BYTES / PART_BYTES)),
  data: z.base64().max(Math.ceil(PART_BYTES / 3) * 4),
});
export type AddPartInput = z.infer<typeof AddPartInput>;

const Column = z.string().max(MOST_HEADER_CHARACTERS).optional();

/** The name of the CSV column that contains each setting; empty if no column does. */
const Columns = z.strictObject({
  url: Column,
  name: Column,
  type: Column,
  port: Column,
  interval: Column,
  timeout: Column,
  tags: Column,
  expectedStatus: Column,
  method: Column,
  keyword: Column,
  active: Column,
} satisfies Record<CsvField, z.ZodType>);

/** Selects the CSV columns that contain each setting. Settings that are missing here are found by usual column names. */
export const ReadImportInput = z.strictObject({ id: z.string().max(64), columns: Columns.optional() });
export type ReadImportInput = z.infer<typeof ReadImportInput>;

/** An item by kind and key: "monitor:12". */
const Refs = z.array(z.string().max(300)).max(5_000);

/** The choices of an import. Items that it does not name are created, or kept if they exist. */
export const StartImportInput = z.strictObject({
  id: z.string().max(64),
  /** Items that are not imported. */
  skip: Refs.default([]),
  /** Items to create although a similar object exists. */
  copy: Refs.default([]),
  /** Monitors of an earlier import to update. */
  update: Refs.default([]),
  /** Creates the monitors paused, so that they send no alerts until they are resumed. */
  startPaused: z.boolean().default(true),
  /** Imports the uptime of past days. */
  history: z.boolean().default(true),
});
export type StartImportInput = z.infer<typeof StartImportInput>;

/** Deletes the objects that the import created. Those that were changed or used since are deleted only with `includeChanged`. */
export const UndoImportInput = z.strictObject({ id: z.string().max(64), includeChanged: z.boolean().default(false) });
export type UndoImportInput = z.infer<typeof UndoImportInput>;

const Counts = z.object({
  total: z.int(),
  waiting: z.int(),
  created: z.int(),
  updated: z.int(),
  kept: z.int(),
  failed: z.int(),
  deleted: z.int(),
  left: z.int(),
});

/** An import and its progress. */
export const Import = z.object({
  id: z.string(),
  source: z.enum(importSources),
  fileName: z.string(),
  bytes: z.int(),
  state: ImportState,
  authorName: z.string(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  counts: z.object({ channel: Counts, monitor: Counts, window: Counts, page: Counts } satisfies Record<
    ImportKind,
    z.ZodType
  >),
  /** The name of the next item; null if the import is not running. */
  current: z.string().nullable(),
});
export type Import = z.infer<typeof Import>;

/** An item of the file, and the object that would be created from it. */
export const PreviewItem = z.object({
  kind: ImportKind,
  key: z.string(),
  name: z.string(),
  /** Its type in the other tool. */
  from: z.string(),
  /** What is checked, or where messages go. */
  detail: z.string(),
  /** Its type in Upwatch. */
  becomes: z.string(),
  notes: z.array(z.string()),
  /** The object that exists already: from an earlier import of the same file, or with the same type and name. Null if there is none. */
  existing: z.object({ id: z.string(), name: z.string(), isImported: z.boolean() }).nullable(),
});
export type PreviewItem = z.infer<typeof PreviewItem>;

/** The content of a file, before anything is created. */
export const ImportPreview = z.object({
  import: Import,
  version: z.string().nullable(),
  items: z.array(PreviewItem),
  /** What cannot be carried over, and why. */
  leftOut: z.array(z.object({ kind: ImportKind, name: z.string(), from: z.string(), reason: z.string() })),
  notes: z.array(z.string()),
  /** The number of days with history of the monitor that has most. */
  historyDays: z.int(),
  monitors: z.object({ present: z.int(), most: z.int().nullable() }),
  plan: z.string(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** An item with its outcome. */
export const ImportItem = z.object({
  kind: ImportKind,
  name: z.string(),
  outcome: ImportOutcome,
  objectId: z.string().nullable(),
  note: z.string().nullable(),
});
export type ImportItem = z.infer<typeof ImportItem>;

/** An import with its items that need attention: failed, left, or created with a note. */
export const ImportReport = z.object({ import: Import, items: z.array(ImportItem) });
export type ImportReport = z.infer<typeof ImportReport>;
