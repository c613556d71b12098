import { digest, toInterval, toPeriod, toTimeout } from '../../convert/conversion';
import { toSeconds, unitOf } from '../../convert/duration';
import { nameOfAddress } from '../../convert/name';
import { toPlain } from '../../convert/plain';
import { decoded } from '../../convert/rows';
import { cut, type DraftBuilder, MOST_OBJECTS, NotCarriedOver, toTags, UnreadableFile } from '../../draft';
import { type Columns, type CsvField, csvFields, guessColumns, MOST_HEADER_CHARACTERS, presenceIn } from './columns';
import { readRows } from './parse';

const NO_TEXT = 'This file is not text in UTF-8. Save it as CSV UTF-8.';
const GRACE_SECONDS = 60;
const HEARTBEATS = ['heartbeat', 'cron', 'cronjob', 'push'];
const OFF = ['false', 'no', 'off', '0', 'n', 'paused', 'disabled', 'inactive', 'stopped'];
const ON = ['', 'true', 'yes', 'on', '1', 'y', 'active', 'enabled', 'up', 'down'];

/** Returns the cell of a row that contains a setting; empty if no column does. */
type Cells = (field: CsvField) => string;

/**
 * Returns the columns of the settings: those that the user chose, and others by usual names.
 * @throws UnreadableFile for a chosen column that does not exist, or if no column has addresses or types
 */
function columnsOf(header: string[], chosen: Columns | undefined): Columns {
  const columns = { ...guessColumns(header), ...chosen };
  const list = header.map((name) => cut(name, 40)).join(', ');
  for (const field of csvFields) {
    const name = columns[field];
    if (!name || header.includes(name)) continue;
    const problem = `There is no column “${cut(name, 40)}”. The columns are: ${cut(list, 400)}.`;
    throw new UnreadableFile(problem, `columns.${field}`);
  }
  if (!columns.url && !columns.type) {
    const problem = `No column has addresses. Choose it. The columns are: ${cut(list, 400)}.`;
    throw new UnreadableFile(problem, 'columns.url');
  }
  return columns;
}

/** Parses status codes such as "200, 301", "200-299" or "2xx"; undefined for an empty text. */
function statusesOf(text: string): string[] | undefined {
  if (text === '') return undefined;
  return text
    .split(/[\s,;|]+/)
    .filter(Boolean)
    .map((each) => (/^[1-5]xx$/i.test(each) ? `${each[0]}00-${each[0]}99` : each));
}

function isActive(text: string): boolean {
  const word = text.toLowerCase();
  if (OFF.includes(word)) return false;
  if (!ON.includes(word)) throw new NotCarriedOver(`“${cut(text, 40)}” is neither true nor false.`);
  return true;
}

function toMonitor(cell: Cells, columns: Columns, isKeywordAbsent: boolean) {
  const notes: string[] = [];
  const interval = cell('interval');
  const seconds = interval === '' ? null : toSeconds(interval, unitOf(columns.interval ?? '') ?? 1);
  const isHeartbeat = HEARTBEATS.includes(cell('type').toLowerCase());
  if (isHeartbeat) {
    if (seconds === null) throw new NotCarriedOver('A heartbeat needs an interval.');
    notes.push('It has a new ping URL. Update the job that pings it.');
    const { graceSeconds, intervalSeconds } = toPeriod(seconds, GRACE_SECONDS, notes);
    return { type: 'heartbeat', config: { graceSeconds }, intervalSeconds, notes };
  }
  const timeout = cell('timeout');
  const port = cell('port');
  if (port !== '' && !/^\d{1,5}$/.test(port)) throw new NotCarriedOver(`“${cut(port, 40)}” is not a port.`);
  const expectedStatus = statusesOf(cell('expectedStatus'));
  const converted = toPlain(cell('type'), {
    address: cell('url'),
    ...(port !== '' && { port: Number(port) }),
    ...(timeout !== '' && {
      timeoutMs: toTimeout(1000 * toSeconds(timeout, unitOf(columns.timeout ?? '') ?? 1), notes),
    }),
    ...(cell('method') !== '' && { method: cell('method') }),
    ...(expectedStatus && { expectedStatus }),
    ...(cell('keyword') !== '' && { keyword: cell('keyword'), isKeywordAbsent }),
  });
  const { type, config } = converted;
  return {
    type,
    config,
    ...(seconds !== null && { intervalSeconds: toInterval(seconds, notes) }),
    notes: [...converted.notes, ...notes],
  };
}

/** Reads a CSV table. The first row contains the names of the columns; each further row becomes a monitor. */
export function readCsv(file: Buffer, builder: DraftBuilder, { columns: chosen }: { columns?: Columns }): void {
  const [first = [], ...rows] = readRows(decoded(file, NO_TEXT), MOST_OBJECTS + 2);
  const header = first.map((name) => cut(name, MOST_HEADER_CHARACTERS));
  if (rows.length === 0) throw new UnreadableFile('This table has no rows below the names of its columns.');
  const columns = columnsOf(header, chosen);
  const positions = new Map(csvFields.map((field) => [field, header.indexOf(columns[field] || '\0')]));
  const presence = presenceIn(header);
  const isKeywordAbsent = (row: string[]): boolean => {
    if (!presence) return false;
    const text = row[presence.at] ?? '';
    const isAbsent = presence.isAbsent(text);
    if (isAbsent !== undefined) return isAbsent;
    throw new NotCarriedOver(`“${cut(text, 40)}” does not say whether the keyword must be present or absent.`);
  };
  builder.draft.instance = 'table';
  /** The content of the first row of each key. */
  const contents = new Map<string, string>();
  for (const row of rows) {
    const cell: Cells = (field) => row[positions.get(field) ?? -1] ?? '';
    const address = cell('url');
    const name = cut(cell('name'), 120) || nameOfAddress(address) || 'Monitor';
    const from = cut(cell('type'), 40) || 'row';
    // Several checks of one address differ in something else.
    const content = JSON.stringify(row);
    const identity = digest(JSON.stringify([cell('type'), address, cell('port'), name]));
    const key = (contents.get(identity) ?? content) === content ? identity : digest(content);
    if (!contents.has(identity)) contents.set(identity, content);
    builder.addMonitor({ key, name, from }, () => {
      if (row.length > header.length) {
        throw new NotCarriedOver('It has more fields than the first row. Put texts with separators into quotes.');
      }
      const { notes, ...typed } = toMonitor(cell, columns, cell('keyword') !== '' && isKeywordAbsent(row));
      const tags = toTags(cell('tags').split(/[,;|]/));
      const input = { ...typed, name, tags, isActive: isActive(cell('active')) };
      return { input, notes };
    });
  }
  for (const field of ['interval', 'timeout'] as const) {
    const column = columns[field];
    if (column && unitOf(column) === null) {
      builder.draft.notes.push(`Numbers without a unit in the column “${cut(column, 40)}” are seconds.`);
    }
  }
  const used = new Set([...Object.values(columns), header[presence?.at ?? -1]]);
  const unused = header.filter((name) => name !== '' && !used.has(name)).map((name) => cut(name, 40));
  if (unused.length > 0) builder.draft.notes.push(`Columns that are not used: ${cut(unused.join(', '), 400)}.`);
  builder.draft.notes.push('Each monitor alerts all channels of the team.');
}
