import { sha256 } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import { overallOf } from './overall';
import { publicId } from './public-id';
import { publicLogoUrl, publicUrl, statusPageNotFound } from './queries';
import { readComponents } from './read-components';
import { readIncidents } from './read-incidents';
import { readMaintenances } from './read-maintenances';
import { PublicStatusPage } from './schema';
import { createShared } from './shared';
import { isSlug } from './slug';

/** How old what many visitors are shown at once may be, in milliseconds. */
const SHARED_MS = 400;

const share = createShared(SHARED_MS, readContents);

async function readContents(db: Db, page: { id: string; teamId: string }) {
  const now = new Date();
  const { list, checkedAt } = await readComponents(db, page.id, now);
  const byMonitor = new Map(list.map(({ monitorId, component }) => [monitorId, component]));
  const [incidents, maintenances] = await Promise.all([
    readIncidents(db, page, byMonitor, now),
    readMaintenances(db, page, byMonitor, now),
  ]);
  const components = list.map(({ component }) => component);
  return {
    ...overallOf(components, incidents.openIncidents.length),
    checkedAt: checkedAt?.toISOString() ?? null,
    components,
    ...incidents,
    ...maintenances,
  };
}

/**
 * A page as strangers see it. Whether there is one, and its own words, are read every time, so that a page made private
 * is gone with its next request; what its monitors do may be some tenths of a second old.
 * @throws AppError NOT_FOUND (no such page, or a private one)
 */
export async function getPublicStatusPage(db: Db, slug: string): Promise<PublicStatusPage> {
  const row = isSlug(slug) ? await db.statusPage.findUnique({ where: { slug, isPublic: true } }) : null;
  if (!row) throw statusPageNotFound();
  const { checkedAt, ...contents } = await share(`${row.id}:${row.updatedAt.getTime()}`, db, row);
  const shown = {
    id: publicId(row.id, row.id),
    slug: row.slug,
    title: row.title,
    description: row.description,
    url: publicUrl(row.slug),
    logoUrl: publicLogoUrl(row.slug, row.logoKey),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...contents,
  };
  return PublicStatusPage.parse({ ...shown, checkedAt, version: sha256(JSON.stringify(shown)).slice(0, 20) });
}
