import { db } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { log } from '@/server/platform/log';
import { byTeam } from './record';

/** How often open pages are notified of checks that change no status. */
const NOTIFY_EVERY_MS = 500;

/** Collects which monitors were checked, and notifies the open pages. */
export class LiveNotifier {
  private readonly seen = new Map<string, string>();
  private timer: NodeJS.Timeout | null = null;

  add(monitorId: string, teamId: string): void {
    this.seen.set(monitorId, teamId);
    this.timer ??= setTimeout(() => void this.flush(), NOTIFY_EVERY_MS);
  }

  /** Sends what is collected at once. Never rejects: a page that is not notified refreshes by itself. */
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
