import path from 'node:path';

/** Returns the key prefix of a page's objects, with a trailing slash. */
export function pageFolder(statusPageId: string): string {
  return `status-pages/${statusPageId}/`;
}

/** Returns the key of one upload of a page's logo. Keys are never reused. */
export function logoKeyOf(statusPageId: string, upload: string, extension: string): string {
  return `${pageFolder(statusPageId)}${upload}.${extension}`;
}

/** Returns the version of an upload, for URLs and entity tags. */
export function logoVersion(logoKey: string): string {
  return path.posix.parse(logoKey).name;
}
