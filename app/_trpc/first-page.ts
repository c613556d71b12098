/**
 * A first page that the server read, as an infinite query keeps it. The first page has no cursor: the types call that
 * null, but the API wants it left out, so it is undefined here.
 */
export function firstPage<Page>(page: Page): { pages: Page[]; pageParams: null[] } {
  return { pages: [page], pageParams: [undefined as unknown as null] };
}
