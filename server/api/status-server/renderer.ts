import type { PublicStatusPage } from '@/server/status-pages/schema';

/** A file that the pages load. */
export interface Asset {
  type: string;
  content: Uint8Array;
}

/** Renders the pages. Bundled separately from the code that reads them (`app/status/bundle.ts`). */
export interface StatusRenderer {
  /** The pages' content security policy. */
  policy: string;
  /** The files by their name under `/status/assets/`. */
  assets: Record<string, Asset>;
  /** Renders a page; a large one in a thread that is shared fairly between teams. */
  page: (page: PublicStatusPage, delay: { readAt: string; ageSeconds: number } | null, team: string) => Promise<string>;
  notice: (what: 'not-found' | 'away') => string;
}
