import type { PublicStatusPage } from '../schema';
import { feedEntries, feedUpdated } from './story';
import { escapeXml } from './xml';

/** Formats a time for RSS (RFC 822 with a four-digit year). */
function rfc822(at: string): string {
  return new Date(at).toUTCString();
}

/** Returns the page's incidents and maintenance windows as an RSS 2.0 channel, one item for each. */
export function rssFeed(page: PublicStatusPage, now: Date): string {
  const all = feedEntries(page, now);
  const items = all.map(
    (entry) => `
    <item>
      <title>${escapeXml(entry.title)}</title>
      <link>${escapeXml(entry.url)}</link>
      <guid isPermaLink="false">${entry.id}</guid>
      <pubDate>${rfc822(entry.updatedAt)}</pubDate>
      <description>${escapeXml(entry.html)}</description>
    </item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>${escapeXml(page.title)}</title>
    <link>${escapeXml(page.url)}</link>
    <description>${escapeXml(page.headline)}</description>
    <language>en</language>
    <lastBuildDate>${rfc822(feedUpdated(page, all))}</lastBuildDate>
    <generator>Upwatch</generator>
    <atom:link rel="self" type="application/rss+xml" href="${escapeXml(page.url)}/feed.rss"/>${items.join('')}
  </channel>
</rss>
`;
}
