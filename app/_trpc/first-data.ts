import 'server-only';
import { notFound } from 'next/navigation';
import { errorCode } from '@/app/_trpc/server';

/**
 * The initial data of a page. NOT_FOUND becomes Next's 404; after other errors the result is undefined, and the page
 * fetches again and shows the error.
 */
export async function firstData<Data>(read: () => Promise<Data>): Promise<Data | undefined> {
  try {
    return await read();
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') notFound();
    return undefined;
  }
}
