import { mkdir, open, opendir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '../ids';
import { assertKey, folderOf, type ObjectStorage, type StoredObject } from './object-storage';

/** The suffix of objects' file names, which no key contains, so that the object `a` and the folder of `a/b` have different names. */
const OBJECT_SUFFIX = '~';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Objects as files under one directory: a line of JSON with the content type, then the bytes. */
export class FileStorage implements ObjectStorage {
  constructor(private readonly directory: string) {}

  async put(key: string, bytes: Uint8Array, { contentType }: { contentType: string }): Promise<void> {
    const target = this.pathOf(key);
    const folder = path.dirname(target);
    // In the target's folder, because a rename is atomic only within one file system.
    const draft = path.join(folder, `.${newId()}`);
    await mkdir(folder, { recursive: true });
    try {
      const file = await open(draft, 'wx');
      try {
        await file.writeFile(Buffer.concat([Buffer.from(`${JSON.stringify({ contentType })}\n`), bytes]));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async get(key: string): Promise<StoredObject | null> {
    const stored = await readFile(this.pathOf(key)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (!stored) return null;
    const end = stored.indexOf('\n');
    const { contentType } = JSON.parse(stored.subarray(0, end).toString('utf8')) as { contentType: string };
    return { bytes: new Uint8Array(stored.subarray(end + 1)), contentType };
  }

  async del(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async deletePrefix(prefix: string): Promise<void> {
    await rm(path.join(this.directory, folderOf(prefix)), { recursive: true, force: true });
  }

  async *list(folder = ''): AsyncIterable<string> {
    const entries = await opendir(path.join(this.directory, folder)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for await (const entry of entries) {
      const inner = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) yield* this.list(inner);
      // Other files are drafts of a `put`.
      else if (entry.name.endsWith(OBJECT_SUFFIX)) yield inner.slice(0, -OBJECT_SUFFIX.length);
    }
  }

  private pathOf(key: string): string {
    assertKey(key);
    return path.join(/* turbopackIgnore: true */ this.directory, `${key}${OBJECT_SUFFIX}`);
  }
}
