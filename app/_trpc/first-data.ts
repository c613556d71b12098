import 'server-only';
import { notFound } from 'next/navigation';
import { errorCode } from '@/app/_trpc/server';

/**
 * A page's first data. What does not exist is Next's 404; where reading failed in another way the answer is undefined,
 * and the page asks again by itself and shows what went wrong.
 */
export async function firstData<Data>(read: () => Promise<Data>): Promise<Data | undefined> {
  try {
    return await read();
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') notFound();
    return undefined;
  }
}
