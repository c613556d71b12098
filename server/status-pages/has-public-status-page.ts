import type { Db } from '@/server/platform/db';
import { isSlug } from './slug';

/** Whether there is a page under this slug for strangers: one that is private is none. */
export async function hasPublicStatusPage(db: Db, slug: string): Promise<boolean> {
  if (!isSlug(slug)) return false;
  return (await db.statusPage.findUnique({ where: { slug, isPublic: true }, select: { id: true } })) !== null;
}
