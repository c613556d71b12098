import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type Columns,
  type CsvField,
  csvFields,
  type Import,
  type ImportKind,
  type ImportPreview,
  type ImportReport,
  type ImportSource,
  importSources,
  MOST_UPLOAD_BYTES,
  PART_BYTES,
  sourcesByName,
} from '@/server/imports/schema';
import { toLine } from '@/server/text/schema';
import type { Api } from './api';

/** A file that cannot be imported; the message says why. */
export class ImportError extends Error {}

/**
 * Returns the named source, or the only one whose files have this ending.
 * @throws ImportError
 */
function sourceFor(path: string, given: string | undefined): ImportSource {
  const possible = sourcesByName(basename(path));
  const choices = given === undefined && possible.length > 0 ? possible : importSources;
  const known = given === undefined ? possible : importSources.filter((each) => each === given);
  const [source] = known;
  if (source && known.length === 1) return source;
  throw new ImportError(`Name the tool that the file is of: --source ${choices.join(', ')}.`);
}

const isField = (name: string): name is CsvField => csvFields.some((field) => field === name);

/**
 * Parses the columns of a CSV file from the command line: name=Title,url=Website.
 * @throws ImportError
 */
export function columnsOf(texts: readonly string[]): Columns {
  const columns: Columns = {};
  // A comma may also be part of a column's name.
  for (const pair of texts.flatMap((text) => text.split(/,(?=[A-Za-z]+=)/))) {
    const [field = '', ...column] = pair.split('=');
    if (!isField(field) || column.length === 0) {
      throw new ImportError(`--map ${pair}: write setting=column; the settings are ${csvFields.join(', ')}.`);
    }
    columns[field] = column.join('=');
  }
  return columns;
}

/**
 * Uploads a file and lets the server read it. Creates nothing but the import.
 * @returns what the import would create
 * @throws ApiError, Unreachable, ImportError
 */
export async function upload(
  api: Api,
  path: string,
  { source, columns, onProgress }: { source: string | undefined; columns: Columns; onProgress: (part: number) => void },
): Promise<ImportPreview> {
  const tool = sourceFor(path, source);
  const file = readFileSync(path);
  const isCompressed = file[0] === 0x1f && file[1] === 0x8b;
  const bytes = isCompressed ? file : gzipSync(file);
  if (file.length === 0) throw new ImportError('The file is empty.');
  if (bytes.length > MOST_UPLOAD_BYTES) throw new ImportError('The file is over 30 MB compressed.');
  const created = await api.one<Import>('POST', '/api/v1/imports', 'import', {
    source: tool,
    fileName: basename(path).slice(-255),
    bytes: bytes.length,
  });
  const one = `/api/v1/imports/${created.id}`;
  for (let position = 0; position * PART_BYTES < bytes.length; position += 1) {
    const data = bytes.subarray(position * PART_BYTES, (position + 1) * PART_BYTES).toString('base64');
    await api.call('POST', `${one}/parts`, { position, data });
    onProgress(Math.min(1, ((position + 1) * PART_BYTES) / bytes.length));
  }
  const chosen = Object.keys(columns).length > 0 ? { columns } : undefined;
  return (await api.call('POST', `${one}/read`, chosen)) as ImportPreview;
}

type Choice = { startPaused: boolean; history: boolean };
type OnProgress = (done: number, all: number) => void;

/** Repeats a step of the server until it has ended. Each call works for about two seconds. */
async function repeat(step: () => Promise<Import>, during: Import['state'], onProgress: OnProgress): Promise<void> {
  for (;;) {
    const { state, counts } = await step();
    if (state !== during) return;
    const sum = (name: 'total' | 'waiting') => Object.values(counts).reduce((total, each) => total + each[name], 0);
    onProgress(sum('total') - sum('waiting'), sum('total'));
  }
}

const reportOf = async (api: Api, id: string) => (await api.call('GET', `/api/v1/imports/${id}`)) as ImportReport;

/** Imports what the preview shows. Keeps objects that exist already. */
export async function run(api: Api, id: string, choice: Choice, onProgress: OnProgress): Promise<ImportReport> {
  const one = `/api/v1/imports/${id}`;
  await api.call('POST', `${one}/start`, choice);
  await repeat(() => api.one('POST', `${one}/run`, 'import'), 'running', onProgress);
  return reportOf(api, id);
}

/** Deletes what an import created, except what was changed or used since. */
export async function undo(api: Api, id: string, onProgress: OnProgress): Promise<ImportReport> {
  const step = () => api.one<Import>('POST', `/api/v1/imports/${id}/undo`, 'import', {});
  await repeat(step, 'undoing', onProgress);
  return reportOf(api, id);
}

const words: Record<ImportKind, string> = {
  channel: 'channel',
  monitor: 'monitor',
  window: 'maintenance window',
  page: 'status page',
};
const amount = (count: number, kind: ImportKind) => `${count} ${words[kind]}${count === 1 ? '' : 's'}`;
const kinds = Object.keys(words) as ImportKind[];

/** Returns a text about what an import would create. */
export function previewText({ items, leftOut, notes }: ImportPreview): string {
  const lines = items.flatMap(({ kind, name, from, becomes, existing, notes: own }) => {
    const what = existing ? `exists already as ${toLine(existing.name)}, and is kept` : `${from} → ${becomes}`;
    return [
      `${existing ? '=' : '+'} ${words[kind]} ${toLine(name)} (${toLine(what)})`,
      ...own.map((note) => `    ${toLine(note)}`),
    ];
  });
  const skipped = leftOut.map(({ kind, name, from, reason }) => {
    return `- ${words[kind]} ${toLine(name)} (${toLine(from)}) is not carried over: ${toLine(reason)}`;
  });
  const created = items.filter(({ existing }) => !existing);
  const counts = kinds.map((kind) => [kind, created.filter((item) => item.kind === kind).length] as const);
  const sum = counts.filter(([, count]) => count > 0).map(([kind, count]) => amount(count, kind));
  const total = sum.length > 0 ? `Import: ${sum.join(', ')} to create` : 'Nothing to create';
  return [...lines, ...skipped, ...notes.map(toLine), `${total}, ${leftOut.length} not carried over.`].join('\n');
}

/** Returns a text about what an import, or its undo, did. */
export function reportText({ import: { id, state, counts }, items }: ImportReport): string {
  const lines = items.map(({ kind, name, outcome, note }) => {
    return `${words[kind]} ${toLine(name)}: ${outcome}${note === null ? '' : `, ${toLine(note)}`}`;
  });
  const name = state === 'undone' ? 'deleted' : 'created';
  const sum = kinds.filter((kind) => counts[kind][name] > 0).map((kind) => amount(counts[kind][name], kind));
  const done = `${sum.join(', ') || 'nothing'} ${name}.`;
  const next = state === 'done' ? ` Undo it with: upwatch import --undo ${id}` : '';
  return [...lines, `${state === 'undone' ? 'Undone' : 'Imported'}: ${done}${next}`].join('\n');
}

/** Whether every item was created, kept or deleted as it should. */
export const isComplete = ({ import: { counts } }: ImportReport) =>
  kinds.every((kind) => counts[kind].failed === 0 && counts[kind].left === 0);
