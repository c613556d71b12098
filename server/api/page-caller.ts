import { createContext } from '@/server/trpc/context';
import { appRouter } from './router';

/** Returns a caller of procedures with the session cookie of a page request, to load the page's first data. Not rate-limited. */
export async function createPageCaller(headers: Headers): Promise<ReturnType<typeof appRouter.createCaller>> {
  return appRouter.createCaller({ ...(await createContext('dashboard', headers)), isUnlimited: true });
}
