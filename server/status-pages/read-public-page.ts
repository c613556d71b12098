import { sha256 } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import { withoutReordering } from '@/server/platform/plain-text';
import { overallOf } from './overall';
import { publicId } from './public-id';
import { publicLogoUrl, publicUrl } from './queries';
import { readComponents } from './read-components';
import { readIncidents } from './read-incidents';
import { readMaintenances } from './read-maintenances';
import { PublicStatusPage } from './schema';
import { isSlug } from './slug';

/** A public page with data that its snapshot needs but visitors do not see. */
export interface PublicPage {
  page: PublicStatusPage;
  teamId: string;
  logoKey: string | null;
}

/** Returns a hash of the content. An open page reloads when it changes; new checks and growing durations do not change it. */
function versionOf(shown: Omit<PublicStatusPage, 'version' | 'checkedAt'>): string {
  const components = shown.components.map(({ notableDays, uptime: _uptime, ...component }) => ({
    ...component,
    notableDays: notableDays.map((each) => (each.day === shown.today ? each.day : each)),
  }));
  return sha256(JSON.stringify({ ...shown, components })).slice(0, 20);
}

/** Reads a public page; null if it does not exist or is private. */
export async function readPublicPage(db: Db, slug: string): Promise<PublicPage | null> {
  const row = isSlug(slug) ? await db.statusPage.findUnique({ where: { slug, isPublic: true } }) : null;
  if (!row) return null;
  const { teamId, logoKey } = row;
  const now = new Date();
  const { list, checkedAt } = await readComponents(db, row, now);
  const [incidents, maintenances] = await Promise.all([
    readIncidents(db, row, list, now),
    readMaintenances(db, row, list, now),
  ]);
  const components = list.map(({ component }) => component);
  const shown = {
    id: publicId(row.id, row.id),
    slug: row.slug,
    title: row.title,
    description: row.description,
    url: publicUrl(row.slug),
    logoUrl: publicLogoUrl(row.slug, logoKey),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...overallOf(components, incidents.openIncidents.length),
    components,
    ...incidents,
    ...maintenances,
    today: now.toISOString().slice(0, 10),
  };
  const page = {
    ...withoutReordering({ ...shown, components: [] }),
    // Only name and description contain text of users.
    components: components.map((each) => ({
      ...each,
      ...withoutReordering({ name: each.name, description: each.description }),
    })),
    checkedAt: checkedAt?.toISOString() ?? null,
    version: versionOf(shown),
  };
  return { page: PublicStatusPage.parse(page), teamId, logoKey };
}
