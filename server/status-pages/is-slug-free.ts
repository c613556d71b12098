import type { Db } from '@/server/platform/db';
import type { SlugQuery } from './schema';

/** Returns whether no other page has a slug now. When the page is saved, the unique index decides. */
export async function isSlugFree(db: Db, { slug, id }: SlugQuery): Promise<boolean> {
  const holder = await db.statusPage.findUnique({ where: { slug }, select: { id: true } });
  return holder === null || holder.id === id;
}
