import { z } from 'zod';

/** The version of the archive's format. */
export const FORMAT = 1;

const Table = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) });

/** The first entry of an archive. */
export const Manifest = z.object({
  format: z.number().int(),
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** The applied migrations, oldest first. */
  migrations: z.array(z.string()),
  /** Identifies the APP_SECRET that the stored secrets are encrypted with (`keyIdOf`). */
  secretFingerprint: z.string(),
  tables: z.array(Table),
  /** The days (UTC, YYYY-MM-DD) that the table of raw results has partitions for. */
  checkDays: z.array(z.string()),
  /** The names of the settings that were set. */
  settings: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;
export type Table = z.infer<typeof Table>;

/** The totals in the last entry: rows by table, and objects. */
export const Totals = z.object({ rows: z.record(z.string(), z.number().int()), objects: z.number().int() });
export type Totals = z.infer<typeof Totals>;

export const MANIFEST = 'manifest.json';
export const SETTINGS = 'settings.json';
export const SEQUENCES = 'sequences.json';
export const OBJECTS = 'objects/';
export const TABLES = 'tables/';

/** The name of a table in an archive. */
export const nameOf = ({ schema, name }: Table) => `${schema}.${name}`;

/** A summary of an archive for the operator; `rows` is the total of all tables. */
export interface Content {
  rows: number;
  tables: number;
  objects: number;
  createdAt: string;
  settings: string[];
}

export function contentOf({ tables, createdAt, settings }: Manifest, { rows, objects }: Totals): Content {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return { rows: total, tables: tables.length, objects, createdAt, settings };
}
