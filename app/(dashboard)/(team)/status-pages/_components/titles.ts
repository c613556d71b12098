/** The document's title on the page of a status page. */
export function statusPageTitle(title: string | undefined): string {
  return `${title ? `${title} · ` : ''}Status pages · Upwatch`;
}
