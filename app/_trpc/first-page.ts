/**
 * Converts the first page, which the server read, to the form of an infinite query. The first cursor is typed as null, but is undefined, because the
 * API requires it to be omitted.
 */
export function firstPage<Page>(page: Page): { pages: Page[]; pageParams: null[] } {
  return { pages: [page], pageParams: [undefined as unknown as null] };
}
