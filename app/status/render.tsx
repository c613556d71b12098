import { createHash } from 'node:crypto';
import { renderToStaticMarkup } from 'react-dom/server';
import { themeCookie } from '@/app/_components/theme';
import type { PublicStatusPage } from '@/server/status-pages/schema';
import { Components } from './_components/components';
import { toDaysData } from './_components/days-data';
import { Document } from './_components/document';
import { GlyphSprite } from './_components/glyph';
import { Head } from './_components/head';
import { OpenIncidents } from './_components/open-incidents';
import { type Delay, Overall } from './_components/overall';
import { PastIncidents } from './_components/past-incidents';
import { Planned } from './_components/planned';
import { overallStates } from './_components/words';

/** The URLs of the assets. */
export interface AssetAddresses {
  style: string;
  script: string;
  font: string;
}

/** Applies the theme chosen in the dashboard before the first paint. */
const early = `{const t=/(?:^|; )${themeCookie}=(light|dark)/.exec(document.cookie);if(t)document.documentElement.dataset.theme=t[1]}`;

/** The content security policy (CSP Level 3): own files, and the inline script above by its hash. */
export const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(early).digest('base64')}'`,
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const toHtml = (document: React.ReactElement) => `<!doctype html>${renderToStaticMarkup(document)}`;

/** Escapes JSON for a script element. */
function embedded(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/**
 * Renders a public status page. The page works without its script.
 * @param delay set if the snapshot could not be refreshed
 */
export function renderPage(page: PublicStatusPage, addresses: AssetAddresses, delay: Delay | null): string {
  const { title, headline, url, slug, version, components } = page;
  const { style, font, script } = addresses;
  return toHtml(
    <Document
      title={`${headline} · ${title} status`}
      description={page.description || `Current status and incidents of ${title}.`}
      early={early}
      style={style}
      font={font}
      script={script}
      state={overallStates[page.overall]}
      links={[
        { rel: 'canonical', href: url },
        { rel: 'alternate', type: 'application/atom+xml', href: `${url}/feed.atom` },
        { rel: 'alternate', type: 'application/rss+xml', href: `${url}/feed.rss` },
      ]}
    >
      <GlyphSprite />
      <div id="page" className="page" data-slug={slug} data-version={version} data-delayed={delay !== null}>
        <Head page={page} />
        <main>
          <Overall page={page} delay={delay} />
          <OpenIncidents incidents={page.openIncidents} />
          <Components components={components} />
          <Planned maintenances={page.maintenances} components={components} slug={slug} />
          <PastIncidents incidents={page.pastIncidents} />
        </main>
        <footer className="small faint">
          <span>Times in UTC.</span>
          <span>Powered by Upwatch</span>
        </footer>
        <script
          type="application/json"
          id="days"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped JSON
          dangerouslySetInnerHTML={{ __html: embedded(toDaysData(page)) }}
        />
      </div>
    </Document>,
  );
}

/** The notice for a page that is missing or private, which visitors cannot distinguish, or that cannot be loaded. */
export function renderNotice(what: 'not-found' | 'away', { style, font }: AssetAddresses): string {
  const [heading, text] =
    what === 'not-found'
      ? ['Status page not found', 'Check the URL. The page may be private or may have been deleted.']
      : ['Status page temporarily unavailable', 'Try again in a few seconds.'];
  return toHtml(
    <Document title={`${heading} · Upwatch`} early={early} style={style} font={font}>
      <main className="page notice-page">
        <h1>{heading}</h1>
        <p className="body muted">{text}</p>
      </main>
    </Document>,
  );
}
