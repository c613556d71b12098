import { MOST_HEADER_CHARACTERS, readRows } from '@/server/imports/schema';

/** How much of a file is read for the names of its columns and an example. */
const SAMPLE_BYTES = 64 * 1024;

/** The first rows of a table. */
export interface Table {
  header: string[];
  /** The first row below the header. */
  example: string[];
}

async function firstBytes(file: File): Promise<Uint8Array> {
  if (!file.name.endsWith('.gz')) return new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array[] = [];
  for (let size = 0; size < SAMPLE_BYTES; ) {
    const { value } = await reader.read();
    if (!value) break;
    parts.push(value);
    size += value.length;
  }
  void reader.cancel();
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

/** The names of the columns of a CSV file, and its first row. The server reads the whole file. */
export async function readTable(file: File): Promise<Table> {
  const [first = [], row = []] = readRows(new TextDecoder().decode(await firstBytes(file)), 2);
  // As the server cuts them. Of columns with one name, the first counts.
  const names = first.map((name) => name.slice(0, MOST_HEADER_CHARACTERS));
  const header = [...new Set(names.filter(Boolean))];
  return { header, example: header.map((name) => row[names.indexOf(name)] ?? '') };
}
