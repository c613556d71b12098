import { createHash } from 'node:crypto';
import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { DAY_MS } from '@/server/time/schema';
import type { Row } from '../../convert/rows';
import { type DraftDay, MOST_OBJECTS, UnreadableFile } from '../../draft';
import { addTo, type KumaData, numberOf, textOf } from './rows';

type Database = InstanceType<Awaited<ReturnType<typeof initSqlJs>>['Database']>;

/** The memory that SQLite may use, besides the file. */
const MOST_HEAP_BYTES = 64 * 1024 * 1024;
/** The maximum number of rows of a table besides those of history. */
const MOST_ROWS = 20_000;
/** The maximum length of all texts of these rows together: rows of a damaged file can share the pages of one long text. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
const IDENTIFIER = /^\w{1,64}$/;
const DAMAGED = 'The database is damaged. Stop Uptime Kuma, and copy kuma.db again.';
const TOO_MUCH_TEXT = 'The settings in the database are too long to read.';
const OTHER = 'This file is not a database of Uptime Kuma. Choose the file kuma.db of its data folder.';

/** Returns whether a file is an SQLite database (https://www.sqlite.org/fileformat.html, 1.3). */
export const isDatabase = (file: Buffer) => file.subarray(0, 16).toString('latin1') === 'SQLite format 3\0';

/** Selects a column with null in place of blobs. The reader needs none, and the heap limit does not count their copies. */
const withoutBlobs = (column: string) => `iif(typeof("${column}") = 'blob', null, "${column}")`;

/**
 * Returns the columns of each table. Leaves out views, virtual tables and generated columns (`table_info` omits them), because the file computes what
 * these return. Leaves out names that are not plain identifiers, because names become parts of statements.
 */
function readTables(database: Database): Map<string, Set<string>> {
  const [found] = database.exec("select name from sqlite_master where type = 'table' and sql not like '%virtual%'");
  const names = (found?.values ?? []).map(([name]) => String(name)).filter((name) => IDENTIFIER.test(name));
  return new Map(
    names.slice(0, 200).map((name) => {
      const [info] = database.exec(`pragma table_info("${name}")`);
      const columns = (info?.values ?? [])
        .map((column) => String(column[1]))
        .filter((column) => IDENTIFIER.test(column));
      return [name, new Set(columns)];
    }),
  );
}

/** Reads tables of a database of Uptime Kuma, of any version: missing tables are empty. */
class Kuma {
  private readonly tables: Map<string, Set<string>>;
  private characters = 0;

  constructor(private readonly database: Database) {
    this.tables = readTables(database);
  }

  has(table: string, ...columns: string[]): boolean {
    return columns.every((column) => this.tables.get(table)?.has(column));
  }

  /** Calls `take` with each row of a table, as an array of these columns. Does nothing if the table or a column is missing. */
  each(table: string, columns: string[], take: (row: unknown[]) => void): void {
    if (!this.has(table, ...columns)) return;
    const statement = this.database.prepare(`select ${columns.map(withoutBlobs).join(', ')} from "${table}"`);
    try {
      while (statement.step()) take(statement.get());
    } finally {
      statement.free();
    }
  }

  /** Returns the rows of a table in the order of a column, at most `MOST_ROWS`; empty without the table. */
  rows(table: string, order = 'id'): Row[] {
    const columns = [...(this.tables.get(table) ?? [])];
    if (columns.length === 0) return [];
    const by = this.has(table, order) ? ` order by "${order}", rowid` : '';
    const values = columns.map(withoutBlobs).join(', ');
    const statement = this.database.prepare(`select ${values} from "${table}"${by} limit ${MOST_ROWS}`);
    const rows: Row[] = [];
    try {
      while (statement.step()) rows.push(this.toRow(columns, statement.get()));
    } finally {
      statement.free();
    }
    return rows;
  }

  private toRow(columns: string[], values: unknown[]): Row {
    for (const value of values) if (typeof value === 'string') this.characters += value.length;
    if (this.characters > MOST_CHARACTERS) throw new UnreadableFile(TOO_MUCH_TEXT);
    return Object.fromEntries(columns.map((column, index) => [column, values[index]]));
  }
}

const LISTED = [0, 1, 3];

/**
 * Returns the check counts of each monitor by day. Version 2 stores them by day, version 1 each check. Leaves out the current day.
 */
function readDays(kuma: Kuma, today: number): Map<number, DraftDay[]> {
  const days = new Map<number, Map<number, DraftDay>>();
  const dayOf = (monitor: number, day: number): DraftDay => {
    const own = days.get(monitor) ?? new Map<number, DraftDay>();
    days.set(monitor, own);
    const found: DraftDay = own.get(day) ?? [day, 0, 0, 0];
    own.set(day, found);
    return found;
  };
  kuma.each('stat_daily', ['monitor_id', 'timestamp', 'up', 'down'], ([monitor, seconds, up, down]) => {
    const day = Math.floor((Number(seconds) * 1000) / DAY_MS);
    if (!(day < today && day > 0)) return;
    const found = dayOf(Number(monitor), day);
    found[1] = Math.max(0, Number(up) || 0);
    found[2] = Math.max(0, Number(down) || 0);
  });
  const summed = new Set(days.keys());
  let last = '';
  let lastDay = 0;
  kuma.each('heartbeat', ['monitor_id', 'status', 'time'], ([monitor, status, time]) => {
    if (summed.has(Number(monitor)) || !LISTED.includes(Number(status))) return;
    const date = String(time).slice(0, 10);
    // Parses only a date that differs from that of the row before, because most do not.
    if (date !== last) {
      last = date;
      lastDay = /^\d{4}-\d\d-\d\d$/.test(date) ? Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS) : 0;
    }
    if (!(lastDay < today && lastDay > 0)) return;
    dayOf(Number(monitor), lastDay)[status === 1 ? 1 : status === 0 ? 2 : 3] += 1;
  });
  return new Map([...days].map(([monitor, own]) => [monitor, [...own.values()].sort(([one], [other]) => one - other)]));
}

function readPages(kuma: Kuma): Map<number, number[]> {
  const groups = kuma.rows('group', 'weight');
  const members = new Map<number, number[]>();
  for (const row of kuma.rows('monitor_group', 'weight')) {
    addTo(members, numberOf(row, 'group_id'), numberOf(row, 'monitor_id'));
  }
  const pages = new Map<number, number[]>();
  for (const group of groups) {
    for (const monitor of members.get(numberOf(group, 'id') ?? -1) ?? []) {
      addTo(pages, numberOf(group, 'status_page_id'), monitor);
    }
  }
  return pages;
}

function readData(kuma: Kuma, now: Date): KumaData {
  if (!kuma.has('monitor', 'id', 'type', 'name')) throw new UnreadableFile(OTHER);
  const settings = new Map(kuma.rows('setting').map((row) => [textOf(row, 'key'), textOf(row, 'value')]));
  const monitors = kuma.rows('monitor');
  if (monitors.length > MOST_OBJECTS) throw new UnreadableFile(`A file can have at most ${MOST_OBJECTS} monitors.`);
  const tagNames = new Map(kuma.rows('tag').map((row) => [numberOf(row, 'id'), textOf(row, 'name')]));
  const data: KumaData = {
    version: kuma.has('stat_daily') ? '2' : '1',
    instance: createHash('sha256')
      .update(settings.get('jwtSecret') ?? '')
      .digest('hex')
      .slice(0, 12),
    timezone: (settings.get('serverTimezone') ?? '').replaceAll('"', '') || 'UTC',
    monitors,
    tags: new Map(),
    notifications: kuma.rows('notification'),
    notificationIds: new Map(),
    maintenance: kuma.rows('maintenance'),
    maintenanceMonitors: new Map(),
    statusPages: kuma.rows('status_page'),
    pageMonitors: readPages(kuma),
    days: readDays(kuma, Math.floor(now.getTime() / DAY_MS)),
  };
  for (const row of kuma.rows('monitor_tag')) {
    const name = tagNames.get(numberOf(row, 'tag_id'));
    addTo(data.tags, numberOf(row, 'monitor_id'), name ? { name, value: textOf(row, 'value') } : null);
  }
  for (const row of kuma.rows('monitor_notification')) {
    addTo(data.notificationIds, numberOf(row, 'monitor_id'), numberOf(row, 'notification_id'));
  }
  for (const row of kuma.rows('monitor_maintenance')) {
    addTo(data.maintenanceMonitors, numberOf(row, 'maintenance_id'), numberOf(row, 'monitor_id'));
  }
  return data;
}

/**
 * Reads a database of Uptime Kuma 1 or 2. Trusts nothing in the file: reads only plain tables, and limits the memory of SQLite. The caller limits the
 * time.
 * @throws UnreadableFile
 */
export async function readDatabase(file: Buffer, now: Date): Promise<KumaData> {
  const { Database } = await initSqlJs();
  // A database in WAL mode needs shared memory, which is not there. Without its WAL file it is a plain one (fileformat.html, 1.3.3).
  if (file[18] === 2) file.fill(1, 18, 20);
  const database = new Database(file);
  try {
    database.exec(`pragma hard_heap_limit = ${MOST_HEAP_BYTES}; pragma trusted_schema = off; pragma cell_size_check = on;
      pragma query_only = on; pragma journal_mode = off`);
    return readData(new Kuma(database), now);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(DAMAGED);
  } finally {
    database.close();
  }
}
