import type { Writable } from 'node:stream';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { keyIdOf } from '../crypto';
import { env } from '../env';
import { storage } from '../storage';
import { version } from '../version';
import { ArchiveWriter, BackupError } from './archive';
import {
  connect,
  listApplied,
  listCheckDays,
  listSequences,
  listTables,
  quotedColumns,
  quotedTable,
  SETTINGS_OF_COPY,
} from './catalog';
import {
  type Content,
  contentOf,
  FORMAT,
  MANIFEST,
  type Manifest,
  nameOf,
  OBJECTS,
  SEQUENCES,
  SETTINGS,
  TABLES,
  type Table,
} from './manifest';

const PART_BYTES = 4 * 1024 * 1024;

interface Options {
  databaseUrl: string;
  /** If not null, the archive is encrypted, and also contains APP_SECRET and the settings. */
  passphrase: string | null;
  /** The environment variables of this instance that are set, by name. */
  settings: Record<string, string>;
  onProgress?: (what: string) => void;
}

/**
 * Writes an archive of the instance while it keeps running. The database is read in one snapshot. Objects are read right after the snapshot is taken:
 * all that it refers to exist then, because an object is written before its row and deleted after it.
 * @throws BackupError
 */
export async function backup(output: Writable, options: Options): Promise<Content> {
  const { databaseUrl, passphrase, settings, onProgress = () => undefined } = options;
  const client = await connect(databaseUrl, 'upwatch-backup');
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(SETTINGS_OF_COPY);
    const manifest = await describe(client, Object.keys(settings));
    const archive = new ArchiveWriter(output, passphrase);
    await archive.add(json(MANIFEST, manifest));
    if (passphrase !== null) await archive.add(json(SETTINGS, { ...settings, APP_SECRET: env.appSecret }));
    const objects = await addObjects(archive, onProgress);
    const rows: Record<string, number> = {};
    for (const table of manifest.tables) {
      onProgress(nameOf(table));
      rows[nameOf(table)] = await addTable(archive, client, table);
    }
    await archive.add(json(SEQUENCES, await listSequences(client)));
    await archive.finish({ rows, objects });
    return contentOf(manifest, { rows, objects });
  } finally {
    await client.end();
  }
}

const json = (name: string, value: unknown) => ({ name, bytes: Buffer.from(JSON.stringify(value)) });

async function describe(client: pg.Client, settings: string[]): Promise<Manifest> {
  const { rows } = await client.query<{ known: boolean; now: Date }>(
    `select to_regclass('public.app_secret') is not null as known, now() as now`,
  );
  if (!rows[0]?.known) throw new BackupError('The database holds no Upwatch: start it once.');
  const secrets = await client.query<{ fingerprint: string }>('select fingerprint from public.app_secret where id = 1');
  const secretFingerprint = secrets.rows[0]?.fingerprint ?? '';
  if (!env.appSecret || keyIdOf(env.appSecret) !== secretFingerprint) {
    throw new BackupError('APP_SECRET is not the secret of this database: set the one that its processes use.');
  }
  return {
    format: FORMAT,
    version,
    createdAt: rows[0].now.toISOString(),
    migrations: await listApplied(client),
    secretFingerprint,
    tables: await listTables(client),
    checkDays: await listCheckDays(client),
    settings,
  };
}

/**
 * Adds all objects to the archive. Leaves out one that is deleted meanwhile; its row was deleted before it, but after the snapshot.
 * @returns the number of added objects
 */
async function addObjects(archive: ArchiveWriter, onProgress: (what: string) => void): Promise<number> {
  let count = 0;
  for await (const key of storage.list()) {
    const object = await storage.get(key);
    if (!object) continue;
    await archive.add({ name: `${OBJECTS}${key}`, bytes: Buffer.from(object.bytes), type: object.contentType });
    count += 1;
    if (count % 100 === 0) onProgress(`${count} objects`);
  }
  return count;
}

/**
 * Adds the rows of a table to the archive, in parts.
 * @returns the number of rows
 */
async function addTable(archive: ArchiveWriter, client: pg.Client, table: Table): Promise<number> {
  const rows = client.query(to(`copy (select ${quotedColumns(table)} from ${quotedTable(table)}) to stdout`));
  let part: Buffer[] = [];
  let size = 0;
  let parts = 0;
  const flush = async () => {
    if (size === 0) return;
    parts += 1;
    const name = `${TABLES}${nameOf(table)}/${String(parts).padStart(6, '0')}.copy`;
    await archive.add({ name, bytes: Buffer.concat(part) });
    part = [];
    size = 0;
  };
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    part.push(chunk);
    size += chunk.length;
    if (size >= PART_BYTES) await flush();
  }
  await flush();
  return rows.rowCount;
}
