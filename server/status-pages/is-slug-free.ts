import type { Db } from '@/server/platform/db';
import type { SlugQuery } from './schema';

/** Whether a slug is available. The unique index decides when it is saved. */
export async function isSlugFree(db: Db, { slug, id }: SlugQuery): Promise<boolean> {
  const holder = await db.statusPage.findUnique({ where: { slug }, select: { id: true } });
  return holder === null || holder.id === id;
}
