import { type ImportSource, MOST_FILE_BYTES, MOST_UPLOAD_BYTES, PART_BYTES } from '@/server/imports/schema';

/** The calls of an upload. */
interface UploadCalls {
  create: (input: { source: ImportSource; fileName: string; bytes: number }) => Promise<{ import: { id: string } }>;
  addPart: (input: { id: string; position: number; data: string }) => Promise<unknown>;
}

const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`;

/** Why a file cannot be uploaded; null if it can. */
export function whyNotUploaded({ size }: Pick<File, 'size'>): string | null {
  if (size === 0) return 'This file is empty.';
  return size > MOST_FILE_BYTES ? `This file is larger than ${megabytes(MOST_FILE_BYTES)}.` : null;
}

async function compress(file: File): Promise<Uint8Array> {
  const isCompressed = file.name.endsWith('.gz');
  const body = isCompressed ? file.stream() : file.stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(body).arrayBuffer());
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += 0x8000)
    text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(text);
}

/**
 * Compresses a file and uploads it in parts.
 * @returns the ID of its import
 */
export async function uploadFile(
  { create, addPart }: UploadCalls,
  source: ImportSource,
  file: File,
  onProgress: (part: number) => void,
): Promise<string> {
  const bytes = await compress(file);
  if (bytes.length > MOST_UPLOAD_BYTES)
    throw new Error(`This file is larger than ${megabytes(MOST_UPLOAD_BYTES)} compressed.`);
  const { import: created } = await create({ source, fileName: file.name.slice(-255), bytes: bytes.length });
  for (let position = 0; position * PART_BYTES < bytes.length; position += 1) {
    const data = toBase64(bytes.subarray(position * PART_BYTES, (position + 1) * PART_BYTES));
    await addPart({ id: created.id, position, data });
    onProgress(Math.min(1, ((position + 1) * PART_BYTES) / bytes.length));
  }
  return created.id;
}
