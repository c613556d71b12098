import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import type { PublicStatusPage } from '@/server/status-pages/schema';

/** Whose page it is, and its feed. */
export function Head({ page: { title, description, logoUrl, slug } }: { page: PublicStatusPage }) {
  return (
    <header className="pb-6">
      <div className="flex items-center gap-2.5">
        {logoUrl ? (
          // biome-ignore lint/performance/noImgElement: the optimiser is off, and the logo is served as it was uploaded
          <img
            src={`/status/${slug}/logo${new URL(logoUrl).search}`}
            alt=""
            className="h-8 w-auto max-w-[160px] shrink-0 object-contain"
          />
        ) : (
          <span
            aria-hidden="true"
            className="grid size-7 shrink-0 place-items-center rounded-[7px] bg-inverse text-base font-semibold text-inverse-ink"
          >
            {[...title][0]?.toUpperCase()}
          </span>
        )}
        <p className="min-w-0 grow text-lead font-semibold [overflow-wrap:anywhere]">{title}</p>
        <Button asChild variant="ghost">
          <a href={`/status/${slug}/feed.atom`}>
            <Icon name="rss" />
            Atom feed
          </a>
        </Button>
      </div>
      {description ? (
        <p className="mt-3 max-w-[68ch] text-body whitespace-pre-line text-muted [overflow-wrap:anywhere]">
          {description}
        </p>
      ) : null}
    </header>
  );
}
