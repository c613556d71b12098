import type { Db } from '@/server/platform/db';
import { forgetMonitor } from './queries';

/**
 * Removes a deleted monitor as the first one of its latest incidents, at most `limit`. The incidents are kept.
 * @returns the number of changed incidents
 */
export function unlinkMonitor(db: Db, monitorId: string, limit: number): Promise<number> {
  return forgetMonitor(db, monitorId, limit);
}
