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
  /** Yields the keys of all objects, in no order. May leave out one that is written or deleted meanwhile. */
  list(): AsyncIterable<string>;
  /** Deletes everything under a folder, given with its trailing slash ("teams/01K…/"). */
  deletePrefix(prefix: string): Promise<void>;
}

const LONGEST_KEY = 512;
const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Whether a key has the form of ours, because a bucket may contain objects of other programs. */
export function isKey(key: string): boolean {
  return key.length <= LONGEST_KEY && KEY.test(key);
}

/**
 * Verifies that a key consists of letters, digits, `.`, `_`, `-` in segments separated by slashes, each starting with a letter or a digit.
 * @throws RangeError
 */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new RangeError(`Not a key of an object: ${JSON.stringify(key.slice(0, 80))}`);
}

/**
 * Returns the folder of a prefix, without its slash.
 * @throws RangeError for an invalid prefix
 */
export function folderOf(prefix: string): string {
  if (!prefix.endsWith('/')) throw new RangeError('A prefix ends with a slash.');
  const folder = prefix.slice(0, -1);
  assertKey(folder);
  return folder;
}
