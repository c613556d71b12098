import type { Db } from '@/server/platform/db';
import type { SlugQuery } from './schema';

/** Whether a page may have this slug, as far as can be told before it is saved: the unique index has the last word. */
export async function isSlugFree(db: Db, { slug, id }: SlugQuery): Promise<boolean> {
  const holder = await db.statusPage.findUnique({ where: { slug }, select: { id: true } });
  return holder === null || holder.id === id;
}
