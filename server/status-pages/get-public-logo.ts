import type { Db } from '@/server/platform/db';
import { type StoredObject, storage } from '@/server/platform/storage';
import { logoVersion } from './logo-key';
import { statusPageNotFound } from './queries';
import { isSlug } from './slug';

/** The logo of a public page, and which upload it is. @throws AppError NOT_FOUND */
export async function getPublicLogo(db: Db, slug: string): Promise<StoredObject & { version: string }> {
  const where = { slug, isPublic: true };
  const page = isSlug(slug) ? await db.statusPage.findUnique({ where, select: { logoKey: true } }) : null;
  const logo = page?.logoKey ? await storage.get(page.logoKey) : null;
  if (!page?.logoKey || !logo) throw statusPageNotFound();
  return { ...logo, version: logoVersion(page.logoKey) };
}
