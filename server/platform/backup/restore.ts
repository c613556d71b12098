import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { keyIdOf } from '../crypto';
import { ANNOUNCE } from '../database/compatibility';
import { storage } from '../storage';
import { BackupError, type Entry, readArchive, type Summary } from './archive';
import {
  connect,
  listApplied,
  listTables,
  quoted,
  quotedColumns,
  quotedTable,
  SETTINGS_OF_COPY,
  type Sequence,
} from './catalog';
import {
  type Content,
  contentOf,
  FORMAT,
  MANIFEST,
  Manifest,
  nameOf,
  OBJECTS,
  SEQUENCES,
  SETTINGS,
  TABLES,
  Totals,
} from './manifest';

interface Options {
  databaseUrl: string;
  passphrase: string | null;
  /** The APP_SECRET of this instance; null for the archive's. */
  secret: string | null;
  /** The migrations that this version knows, oldest first. */
  known: string[];
  /** Migrates the database to the state after these migrations; by default to the present schema. */
  migrate: (names?: string[]) => Promise<unknown>;
  /** Called with the secret that the instance needs, before anything is committed. */
  keepSecret: (secret: string) => Promise<void>;
  onProgress?: (what: string) => void;
}

/**
 * Restores an archive into an empty database and its storage. Migrates to the schema of the archive, then copies everything in one transaction, which
 * it commits only if all checksums and row counts are right, then migrates to the current schema.
 * @throws BackupError
 */
export async function restore(input: Readable, options: Options): Promise<Content> {
  const { databaseUrl, passphrase, known, migrate, onProgress = () => undefined } = options;
  const client = await connect(databaseUrl, 'upwatch-restore');
  try {
    let totals: Totals | null = null;
    const entries = readArchive(input, passphrase, (summary: Summary) => {
      totals = Totals.parse(summary);
    });
    const manifest = await readManifest(entries);
    assertKnown(manifest, known);
    await assertEmpty(client, manifest);
    await migrate(manifest.migrations);
    await client.query('begin');
    await client.query(`${SETTINGS_OF_COPY}; select ${ANNOUNCE}`);
    const load = new Load(client, manifest, options, onProgress);
    await load.open();
    for await (const entry of entries) await load.take(entry);
    if (!totals) throw new BackupError('The archive is incomplete.');
    await load.close(totals);
    await client.query('commit');
    await migrate();
    return contentOf(manifest, totals);
  } finally {
    await client.end();
  }
}

/**
 * Rejects a database with content. Accepts one without accounts that has exactly the archive's migrations, because a failed restore of the archive
 * leaves that.
 * @throws BackupError
 */
async function assertEmpty(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const { rows } = await client.query<{ tables: number; isOurs: boolean }>(
    `select count(*)::int as tables, coalesce(bool_or(c.relname = 'users'), false) as "isOurs"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'graphile_worker') and c.relkind in ('r', 'p')`,
  );
  if (rows[0]?.tables === 0) return;
  const isBare = rows[0]?.isOurs && (await client.query('select 1 from public.users limit 1')).rowCount === 0;
  if (isBare && isDeepStrictEqual(await listApplied(client), migrations)) return;
  throw new BackupError(
    'The instance is not empty, and a restore replaces nothing: set DATABASE_URL or DATA_DIR to a new database or directory.',
  );
}

async function readManifest(entries: AsyncGenerator<Entry>): Promise<Manifest> {
  const { value: first } = await entries.next();
  const parsed = first?.name === MANIFEST ? JSON.parse(first.bytes.toString('utf8')) : null;
  if (typeof parsed?.format === 'number' && parsed.format > FORMAT) throw newer(parsed.version);
  const manifest = Manifest.safeParse(parsed);
  if (!manifest.success) throw new BackupError('The archive is no backup of Upwatch.');
  return manifest.data;
}

const newer = (made: string) =>
  new BackupError(`The backup was made by a newer version of Upwatch, ${made}: restore it with that version.`);

function assertKnown({ migrations, version }: Manifest, known: string[]): void {
  if (migrations.some((name) => !known.includes(name))) throw newer(version);
}

/** Loads the content of an archive into a migrated database, in the current transaction of a client. */
class Load {
  /** The tables by name, in the order of the archive. */
  private readonly tables;
  private constraints: { table: string; name: string; definition: string }[] = [];
  private copying: { name: string; stream: ReturnType<typeof from> } | null = null;
  private readonly rows: Record<string, number> = {};
  private objects = 0;
  private archiveSecret: string | null = null;

  constructor(
    private readonly client: pg.Client,
    private readonly manifest: Manifest,
    private readonly options: Pick<Options, 'secret' | 'keepSecret'>,
    private readonly onProgress: (what: string) => void,
  ) {
    this.tables = new Map(manifest.tables.map((table) => [nameOf(table), table]));
  }

  /**
   * Empties the tables, because migrations write rows, and drops foreign keys and triggers, because they would reject rows in the archive's order.
   */
  async open(): Promise<void> {
    const present = new Set((await listTables(this.client)).map(nameOf));
    const unknown = [...this.tables.keys()].find((name) => !present.has(name));
    if (unknown) throw new BackupError(`The archive has a table that its migrations do not create: ${unknown}.`);
    const { rows } = await this.client.query<{ table: string; name: string; definition: string }>(
      `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and conparentid = 0
         and connamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))`,
    );
    this.constraints = rows;
    for (const { table, name } of rows) await this.client.query(`alter table ${table} drop constraint ${quoted(name)}`);
    for (const table of this.manifest.tables) {
      await this.client.query(`alter table ${quotedTable(table)} disable trigger user`);
    }
    await this.client.query(`truncate ${this.manifest.tables.map(quotedTable).join(', ')}`);
    for (const day of this.manifest.checkDays) await this.client.query('select make_check_day($1::date)', [day]);
  }

  async take({ name, bytes, type }: Entry): Promise<void> {
    if (name === SETTINGS) {
      this.archiveSecret = String(JSON.parse(bytes.toString('utf8')).APP_SECRET ?? '') || null;
    } else if (name === SEQUENCES) {
      await this.endTable();
      await this.setSequences(JSON.parse(bytes.toString('utf8')) as Sequence[]);
    } else if (name.startsWith(OBJECTS)) {
      await storage.put(name.slice(OBJECTS.length), bytes, { contentType: type ?? 'application/octet-stream' });
      this.objects += 1;
    } else if (name.startsWith(TABLES)) {
      await this.takePart(name.slice(TABLES.length).replace(/\/[^/]*$/, ''), bytes);
    }
  }

  /**
   * Verifies the row and object counts and the secret, and restores the foreign keys and triggers that `open` removed. The database checks the
   * foreign keys against all rows.
   * @throws BackupError
   */
  async close(totals: Totals): Promise<void> {
    await this.endTable();
    for (const [name, count] of Object.entries(totals.rows)) {
      if ((this.rows[name] ?? 0) === count) continue;
      throw new BackupError(`${name} has ${this.rows[name] ?? 0} rows after the restore, and had ${count}.`);
    }
    if (this.objects !== totals.objects) throw new BackupError('Objects are missing in the archive.');
    await this.keepSecret();
    for (const { table, name, definition } of this.constraints) {
      this.onProgress(`checking ${table}`);
      await this.client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
    }
    for (const table of this.manifest.tables) {
      await this.client.query(`alter table ${quotedTable(table)} enable trigger user`);
    }
    // The workers that held these jobs are not the ones that will start.
    await this.client.query(
      'update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null',
    );
    await this.client.query(
      'update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null',
    );
  }

  private async keepSecret(): Promise<void> {
    const secret = this.options.secret ?? this.archiveSecret;
    if (secret === null) {
      throw new BackupError(
        'APP_SECRET is missing: the archive does not contain it. Set it to the secret of the backup.',
      );
    }
    if (keyIdOf(secret) !== this.manifest.secretFingerprint) {
      throw new BackupError(
        'APP_SECRET is not the secret of the backup: set that one, or restore into a new DATA_DIR if the archive contains it.',
      );
    }
    await this.options.keepSecret(secret);
  }

  private async takePart(name: string, bytes: Buffer): Promise<void> {
    const table = this.tables.get(name);
    if (!table) throw new BackupError(`The archive has a table that its manifest does not name: ${name}.`);
    if (this.copying?.name !== name) {
      await this.endTable();
      this.onProgress(name);
      const stream = this.client.query(from(`copy ${quotedTable(table)} (${quotedColumns(table)}) from stdin`));
      // An error is reported by the next write, or by `finished`.
      stream.on('error', () => undefined);
      this.copying = { name, stream };
    }
    const { stream } = this.copying;
    // The callback runs when the connection has taken the bytes, so that a fast archive does not fill the memory.
    await new Promise<void>((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve())));
  }

  private async endTable(): Promise<void> {
    if (!this.copying) return;
    const { name, stream } = this.copying;
    this.copying = null;
    stream.end();
    await finished(stream);
    this.rows[name] = stream.rowCount;
  }

  private async setSequences(sequences: Sequence[]): Promise<void> {
    for (const { schema, name, value } of sequences) {
      if (value === null) continue;
      await this.client.query('select setval($1::regclass, $2::bigint)', [`${quoted(schema)}.${quoted(name)}`, value]);
    }
  }
}
