export interface StoredObject {
  bytes: Uint8Array;
  contentType: string;
}

/** Named objects, each read and written whole. */
export interface ObjectStorage {
  /** Writes an object, in place of an older one. A reader sees the old or the new one, never a part. */
  put(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<void>;
  get(key: string): Promise<StoredObject | null>;
  /** Deletes an object; one that is not there is no error. */
  del(key: string): Promise<void>;
  /** Deletes everything under a folder, written with its closing slash ("teams/01K…/"). */
  deletePrefix(prefix: string): Promise<void>;
}

const LONGEST_KEY = 512;
const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Throws where a key is not of letters, digits, `.`, `_`, `-` in parts between slashes, each part beginning with a letter or a digit. */
export function assertKey(key: string): void {
  if (key.length > LONGEST_KEY || !KEY.test(key))
    throw new RangeError(`Not a key of an object: ${JSON.stringify(key.slice(0, 80))}`);
}

/** The folder that a prefix names, without its slash. Throws where it names none. */
export function folderOf(prefix: string): string {
  if (!prefix.endsWith('/')) throw new RangeError('A prefix ends with a slash.');
  const folder = prefix.slice(0, -1);
  assertKey(folder);
  return folder;
}
