export interface StoredObject {
  bytes: Uint8Array;
  contentType: string;
}

/** Named objects, each read and written whole. */
export interface ObjectStorage {
  /** Writes or replaces an object. A reader sees the old or the new one, never a part. */
  put(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<void>;
  get(key: string): Promise<StoredObject | null>;
  /** Deletes an object, if it exists. */
  del(key: string): Promise<void>;
  /** The keys of all objects, in no order. One that is written or deleted meanwhile may be left out. */
  list(): AsyncIterable<string>;
  /** Deletes everything under a folder, given with its trailing slash ("teams/01K…/"). */
  deletePrefix(prefix: string): Promise<void>;
}

const LONGEST_KEY = 512;
const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Whether a key is one of ours: a bucket may hold objects of other programs. */
export function isKey(key: string): boolean {
  return key.length <= LONGEST_KEY && KEY.test(key);
}

/** Throws unless a key consists of letters, digits, `.`, `_`, `-` in segments separated by slashes, each starting with a letter or a digit. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new RangeError(`Not a key of an object: ${JSON.stringify(key.slice(0, 80))}`);
}

/** The folder of a prefix, without its slash. Throws for an invalid one. */
export function folderOf(prefix: string): string {
  if (!prefix.endsWith('/')) throw new RangeError('A prefix ends with a slash.');
  const folder = prefix.slice(0, -1);
  assertKey(folder);
  return folder;
}
