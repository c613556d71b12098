import 'server-only';
import { notFound } from 'next/navigation';
import { errorCode } from '@/app/_trpc/server';

/**
 * The initial data of a page. Converts NOT_FOUND to Next's 404. After other errors it is undefined, so that the browser loads the data again and
 * shows the error.
 */
export async function firstData<Data>(read: () => Promise<Data>): Promise<Data | undefined> {
  try {
    return await read();
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') notFound();
    return undefined;
  }
}
