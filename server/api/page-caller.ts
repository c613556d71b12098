import { createContext } from '@/server/trpc/context';
import { appRouter } from './router';

/** Calls procedures as the person whose cookie came with a page's request, for the page's first data. Pages are not limited. */
export async function createPageCaller(headers: Headers): Promise<ReturnType<typeof appRouter.createCaller>> {
  return appRouter.createCaller({ ...(await createContext('dashboard', headers)), isCounted: true });
}
