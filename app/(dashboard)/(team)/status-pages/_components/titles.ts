/** The document title of a status page's editor. */
export function statusPageTitle(title: string | undefined): string {
  return `${title ? `${title} · ` : ''}Status pages · Upwatch`;
}
