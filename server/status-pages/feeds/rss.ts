import type { PublicStatusPage } from '../schema';
import { feedIncidents, feedUpdated, incidentUrl, lastNews, storyHtml } from './story';
import { escapeXml } from './xml';

/** A time in RSS format (RFC 822 with a four-digit year). */
function rfc822(at: string): string {
  return new Date(at).toUTCString();
}

/** The page's incidents as an RSS 2.0 channel, one item per incident. */
export function rssFeed(page: PublicStatusPage): string {
  const items = feedIncidents(page).map(
    (incident) => `
    <item>
      <title>${escapeXml(incident.title)}</title>
      <link>${escapeXml(incidentUrl(page, incident))}</link>
      <guid isPermaLink="false">${incident.id}</guid>
      <pubDate>${rfc822(lastNews(incident))}</pubDate>
      <description>${escapeXml(storyHtml(incident))}</description>
    </item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>${escapeXml(page.title)}</title>
    <link>${escapeXml(page.url)}</link>
    <description>${escapeXml(page.headline)}</description>
    <language>en</language>
    <lastBuildDate>${rfc822(feedUpdated(page))}</lastBuildDate>
    <generator>Upwatch</generator>
    <atom:link rel="self" type="application/rss+xml" href="${escapeXml(page.url)}/feed.rss"/>${items.join('')}
  </channel>
</rss>
`;
}
