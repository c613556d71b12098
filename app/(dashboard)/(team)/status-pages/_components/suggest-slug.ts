/** Derives a slug from a title: "Northwind Cloud Ä" → "northwind-cloud-a"; empty if too few characters remain. */
export function suggestSlug(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
  return slug.length < 3 ? '' : slug;
}
