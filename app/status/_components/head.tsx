import type { PublicStatusPage } from '@/server/status-pages/schema';

/** Logo, title and feed link. */
export function Head({ page: { title, description, logoUrl, slug } }: { page: PublicStatusPage }) {
  return (
    <header>
      <div className="head">
        {logoUrl ? (
          // biome-ignore lint/performance/noImgElement: this page does not use Next, and the logo is served as uploaded
          <img src={`/status/${slug}/logo${new URL(logoUrl).search}`} alt="" className="logo" />
        ) : (
          <span aria-hidden="true" className="crest">
            {[...title][0]?.toUpperCase()}
          </span>
        )}
        <p className="title grow">{title}</p>
        <a className="feed" href={`/status/${slug}/feed.atom`}>
          <svg viewBox="0 0 16 16" className="icon" aria-hidden="true">
            <path d="M3 8a5 5 0 0 1 5 5M3 3.5A9.5 9.5 0 0 1 12.5 13" />
            <circle cx="3.6" cy="12.4" r=".9" fill="currentColor" />
          </svg>
          Atom feed
        </a>
      </div>
      {description ? <p className="description">{description}</p> : null}
    </header>
  );
}
