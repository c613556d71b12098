import type { PublicStatusPage } from '../schema';
import { feedEntries, feedUpdated } from './story';
import { escapeXml } from './xml';

/** Returns a permanent ID (RFC 4287 §4.2.6) that survives changes of slug and host: a UUID (RFC 9562 §5.8) derived from a public ID. */
function urn(hex: string): string {
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the page's incidents and maintenance windows as an Atom feed (RFC 4287), one entry for each. */
export function atomFeed(page: PublicStatusPage, now: Date): string {
  const all = feedEntries(page, now);
  const entries = all.map(
    (entry) => `
  <entry>
    <id>${urn(entry.id)}</id>
    <title>${escapeXml(entry.title)}</title>
    <link rel="alternate" type="text/html" href="${escapeXml(entry.url)}"/>
    <published>${entry.startedAt}</published>
    <updated>${entry.updatedAt}</updated>
    <category term="${entry.category}"/>
    <content type="html">${escapeXml(entry.html)}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${urn(page.id)}</id>
  <title>${escapeXml(page.title)}</title>
  <subtitle>${escapeXml(page.headline)}</subtitle>
  <link rel="self" type="application/atom+xml" href="${escapeXml(page.url)}/feed.atom"/>
  <link rel="alternate" type="text/html" href="${escapeXml(page.url)}"/>
  <updated>${feedUpdated(page, all)}</updated>
  <author><name>${escapeXml(page.title)}</name></author>
  <generator>Upwatch</generator>${entries.join('')}
</feed>
`;
}
