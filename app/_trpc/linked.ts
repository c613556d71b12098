import 'server-only';
import { notFound } from 'next/navigation';
import { errorCode, pageCaller } from '@/app/_trpc/server';

type Caller = Awaited<ReturnType<typeof pageCaller>>;

/** What the page of a link shows. A link that leads to nothing, or cannot exist, is a page that is not found. */
export async function linked<Data>(read: (caller: Caller) => Promise<Data>): Promise<Data> {
  try {
    return await read(await pageCaller());
  } catch (error) {
    if (['NOT_FOUND', 'VALIDATION_ERROR'].includes(errorCode(error) ?? '')) notFound();
    throw error;
  }
}
