import type { Db } from '@/server/platform/db';
import { forgetMonitor } from './queries';

/**
 * Takes a deleted monitor from its latest incidents, at most `limit`, which are kept without it.
 * @returns how many
 */
export function unlinkMonitor(db: Db, monitorId: string, limit: number): Promise<number> {
  return forgetMonitor(db, monitorId, limit);
}
