import { db } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { log } from '@/server/platform/log';
import { byTeam } from './record';

/** Checks that change nothing are told to the pages that show them this often. */
const TELL_EVERY_MS = 500;

/** Gathers which monitors were checked, and tells the open pages. */
export class Teller {
  private readonly seen = new Map<string, string>();
  private timer: NodeJS.Timeout | null = null;

  tell(monitorId: string, teamId: string): void {
    this.seen.set(monitorId, teamId);
    this.timer ??= setTimeout(() => void this.flush(), TELL_EVERY_MS);
  }

  /** Tells what is gathered at once. Never rejects: a page that is not told reads again by itself. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const monitors = [...this.seen].map(([id, teamId]) => ({ id, teamId }));
    this.seen.clear();
    try {
      for (const [team, ids] of byTeam(monitors)) await notify(db, { team, kind: 'monitor', ids });
    } catch (error) {
      log.warn({ err: error }, 'Live pages could not be notified of new checks');
    }
  }
}
