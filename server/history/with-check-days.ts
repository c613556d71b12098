import { log } from '@/server/platform/log';
import { makeCheckDays } from './make-check-days';

/** PostgreSQL has no code of its own for it (23514, as for any check), so it is told by its words. */
const NO_DAY = /no partition of relation "checks" found for row/;

/** Does what keeps raw results of these moments; where a day is missing, makes it and does it again. */
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
