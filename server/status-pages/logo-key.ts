import path from 'node:path';

/** The folder of a page's objects, with its closing slash. */
export function pageFolder(statusPageId: string): string {
  return `status-pages/${statusPageId}/`;
}

/** The key of one upload of a page's logo. No key is ever written twice. */
export function logoKeyOf(statusPageId: string, upload: string, extension: string): string {
  return `${pageFolder(statusPageId)}${upload}.${extension}`;
}

/** What tells one upload from the next, for addresses and entity tags. */
export function logoVersion(logoKey: string): string {
  return path.posix.parse(logoKey).name;
}
