import { atomFeed } from '@/server/status-pages/feeds/atom';
import { badge } from '@/server/status-pages/feeds/badge';
import { calendar } from '@/server/status-pages/feeds/icalendar';
import { rssFeed } from '@/server/status-pages/feeds/rss';
import { documents as statuspage } from '@/server/status-pages/feeds/statuspage/documents';
import type { Snapshot } from '@/server/status-pages/snapshots/shared-snapshots';
import type { StatusRenderer } from './renderer';
import { type Representation, represent } from './representation';

/** The age from which a page shows that its snapshot is outdated. Without an outage, snapshots are newer. */
const DELAYED_AFTER_MS = 5_000;
/** The interval at which the displayed age of an outdated snapshot is refreshed. */
const DELAY_STEP_MS = 10_000;

const json = 'application/json; charset=utf-8';

interface Kind {
  route: string;
  type: string;
  write: (snapshot: Snapshot, ageMs: number) => string | Promise<string>;
  /** Whether it contains the time of the last check, and the age of an outdated snapshot. */
  tellsAge?: boolean;
  /** Whether it contains the current state of maintenance windows. */
  isTimed?: boolean;
}

/** Returns the age of the last snapshot in seconds; null if it is not outdated, so that it is not shown. */
function delayOf(ageMs: number): number | null {
  return ageMs < DELAYED_AFTER_MS ? null : Math.floor(ageMs / 1000);
}

const beside: Record<string, Kind> = {
  'feed.atom': {
    route: '/feed.atom',
    type: 'application/atom+xml; charset=utf-8',
    isTimed: true,
    write: ({ page }) => atomFeed(page, new Date()),
  },
  'feed.rss': {
    route: '/feed.rss',
    type: 'application/rss+xml; charset=utf-8',
    isTimed: true,
    write: ({ page }) => rssFeed(page, new Date()),
  },
  'maintenance.ics': {
    route: '/maintenance.ics',
    type: 'text/calendar; charset=utf-8',
    write: ({ page }) => calendar(page),
  },
  'badge.svg': { route: '/badge.svg', type: 'image/svg+xml; charset=utf-8', write: ({ page }) => badge(page) },
  // Polled by open pages to detect changes.
  version: {
    route: '/version',
    type: json,
    tellsAge: true,
    write: ({ page: { version, checkedAt } }, ageMs) =>
      JSON.stringify({ version, checkedAt, delaySeconds: delayOf(ageMs) }),
  },
  ...Object.fromEntries(
    Object.entries(statuspage).map(([path, write]): [string, Kind] => [
      `api/v2/${path}`,
      {
        route: `/api/v2/${path}`,
        type: json,
        isTimed: true,
        write: ({ page }) => JSON.stringify(write(page, new Date())),
      },
    ]),
  ),
};

interface Made {
  step: number;
  checkedAt: string | null;
  isDelayed: boolean;
  value: Representation | Promise<Representation>;
}

/** Returns how many starts and ends of maintenance windows have passed. A timed document has to be rendered again only if that changes. */
function edgesBefore({ page: { maintenances, pastMaintenances } }: Snapshot, now: Date): number {
  const at = now.toISOString();
  return [...maintenances, ...pastMaintenances]
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .filter((edge) => edge <= at).length;
}

async function write({ type, write }: Kind, snapshot: Snapshot, ageMs: number): Promise<Representation> {
  return represent(type, await write(snapshot, ageMs));
}

/** The documents of the status pages. Renders each one once per snapshot, and again when its age or the maintenance it shows changes. */
export class Documents {
  private readonly kinds: Map<string, Kind>;
  private readonly made = new WeakMap<Snapshot, Map<string, Made>>();

  constructor(renderer: StatusRenderer) {
    const page: Kind = {
      route: '',
      type: 'text/html; charset=utf-8',
      tellsAge: true,
      write: (snapshot, ageMs) => {
        const ageSeconds = delayOf(ageMs);
        const delay = ageSeconds !== null && { readAt: new Date(snapshot.readAt).toISOString(), ageSeconds };
        return renderer.page(snapshot.page, delay || null, snapshot.teamId);
      },
    };
    this.kinds = new Map([['', page], ...Object.entries(beside)]);
  }

  /** Returns the route pattern of a document; undefined if pages have no document with this path. */
  routeOf(path: string): string | undefined {
    return this.kinds.get(path)?.route;
  }

  /** Returns a document of a page, synchronously if it is already rendered. */
  get(path: string, snapshot: Snapshot, ageMs: number): Representation | Promise<Representation> {
    const kind = this.kinds.get(path);
    if (!kind) throw new RangeError(`There is no document ${path}`);
    const isDelayed = kind.tellsAge === true && ageMs >= DELAYED_AFTER_MS;
    const checkedAt = kind.tellsAge ? snapshot.page.checkedAt : null;
    const step = isDelayed ? Math.floor(ageMs / DELAY_STEP_MS) : kind.isTimed ? edgesBefore(snapshot, new Date()) : 0;
    const own = this.made.get(snapshot) ?? new Map<string, Made>();
    this.made.set(snapshot, own);
    const known = own.get(path);
    if (known?.step === step && known.isDelayed === isDelayed && known.checkedAt === checkedAt) return known.value;
    const made: Made = { step, isDelayed, checkedAt, value: write(kind, snapshot, ageMs) };
    own.set(path, made);
    return this.settled(own, path, made);
  }

  /** Stores the rendered document, so that it is returned synchronously from then on. Forgets a failed one, so that the next request tries again. */
  private async settled(own: Map<string, Made>, path: string, made: Made): Promise<Representation> {
    try {
      made.value = await made.value;
      return made.value;
    } catch (error) {
      if (own.get(path) === made) own.delete(path);
      throw error;
    }
  }
}
