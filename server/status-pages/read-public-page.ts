import { createHash } from 'node:crypto';
import { scheduler } from 'node:timers/promises';
import type { Db } from '@/server/platform/db';
import { withoutReordering } from '@/server/platform/plain-text';
import { overallOf } from './overall';
import { publicId } from './public-id';
import { publicLogoUrl, publicUrl } from './queries';
import { readComponents } from './read-components';
import { readIncidents } from './read-incidents';
import { readMaintenances } from './read-maintenances';
import { Component, PublicStatusPage } from './schema';
import { isSlug } from './slug';

/** A public page with data that its snapshot needs but visitors do not see. */
export interface PublicPage {
  page: PublicStatusPage;
  teamId: string;
  logoKey: string | null;
}

/** The number of components that are finished before yielding the thread. */
const AT_ONCE = 20;

/** Returns the part of a component that changes the version of its page: without growing durations. */
function lasting({ notableDays, uptime: _uptime, ...component }: Component, today: string) {
  return { ...component, notableDays: notableDays.map((each) => (each.day === today ? each.day : each)) };
}

/**
 * Validates the content of a page, and adds its version: a hash. An open page reloads when it changes; new checks and growing durations do not change
 * it. Pauses for other requests, because a large page has megabytes.
 */
async function finish(
  { components, ...rest }: Omit<PublicStatusPage, 'version' | 'checkedAt'>,
  checkedAt: Date | null,
): Promise<PublicStatusPage> {
  const hash = createHash('sha256').update(JSON.stringify(rest));
  const finished: Component[] = [];
  for (const [index, each] of components.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await scheduler.yield();
    hash.update(JSON.stringify(lasting(each, rest.today)));
    // Only name and description contain text of users.
    const { name, description } = withoutReordering({ name: each.name, description: each.description });
    finished.push(Component.parse({ ...each, name, description }));
  }
  const page = PublicStatusPage.omit({ components: true }).parse({
    ...withoutReordering(rest),
    checkedAt: checkedAt?.toISOString() ?? null,
    version: hash.digest('hex').slice(0, 20),
  });
  return { ...page, components: finished };
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
  return { page: await finish(shown, checkedAt), teamId, logoKey };
}
