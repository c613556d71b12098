import { sha256 } from '@/server/platform/crypto';
import type { Db } from '@/server/platform/db';
import { overallOf } from './overall';
import { publicId } from './public-id';
import { publicLogoUrl, publicUrl } from './queries';
import { readComponents } from './read-components';
import { readIncidents } from './read-incidents';
import { readMaintenances } from './read-maintenances';
import { PublicStatusPage } from './schema';
import { isSlug } from './slug';

/** A page as strangers see it, and beside it what its snapshot needs and no stranger is told. */
export interface PublicPage {
  page: PublicStatusPage;
  teamId: string;
  logoKey: string | null;
}

/** What makes an open page read itself again: not that another check was made, nor that a state goes on. */
function versionOf(shown: Omit<PublicStatusPage, 'version' | 'checkedAt'>): string {
  const components = shown.components.map(({ notableDays, uptime: _uptime, ...component }) => ({
    ...component,
    notableDays: notableDays.map((each) => (each.day === shown.today ? each.day : each)),
  }));
  return sha256(JSON.stringify({ ...shown, components })).slice(0, 20);
}

/** Reads a page as strangers see it; null where there is none, or a private one. */
export async function readPublicPage(db: Db, slug: string): Promise<PublicPage | null> {
  const row = isSlug(slug) ? await db.statusPage.findUnique({ where: { slug, isPublic: true } }) : null;
  if (!row) return null;
  const { teamId, logoKey } = row;
  const now = new Date();
  const { list, checkedAt } = await readComponents(db, row.id, now);
  const byMonitor = new Map(list.map((each) => [each.monitor.id, each]));
  const [incidents, maintenances] = await Promise.all([
    readIncidents(db, row, byMonitor, now),
    readMaintenances(db, row, byMonitor, now),
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
  const page = { ...shown, checkedAt: checkedAt?.toISOString() ?? null, version: versionOf(shown) };
  return { page: PublicStatusPage.parse(page), teamId, logoKey };
}
