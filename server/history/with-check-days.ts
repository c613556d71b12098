import { log } from '@/server/platform/log';
import { makeCheckDays } from './make-check-days';

/** PostgreSQL has no specific code (23514, as for any check constraint), so the message is matched. */
const NO_DAY = /no partition of relation "checks" found for row/;

/** Runs `work`. If a partition is missing, creates it and runs `work` again. */
export async function withCheckDays<T>(moments: Date[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!NO_DAY.test(String(error))) throw error;
    log.warn('A day of raw results was not made ahead');
    await makeCheckDays(moments);
    return work();
  }
}
