import { cutPage } from '@/server/lists/cut-page';
import type { ExternalIdPage } from '@/server/lists/schema';
import type { Db, Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { logoVersion } from './logo-key';
import type { StatusPage } from './schema';

const include = {
  monitors: { select: { monitorId: true, displayName: true, position: true }, orderBy: { position: 'asc' } },
  components: {
    select: { id: true, name: true, description: true, position: true },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  },
} satisfies Prisma.StatusPageInclude;

type Row = Prisma.StatusPageGetPayload<{ include: typeof include }>;

export function statusPageNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such status page.');
}

/** Returns the error for a slug that another page of any team uses. */
export function slugTaken(): AppError {
  return new AppError('SLUG_TAKEN', 'Another status page has this slug.');
}

/** Returns the public URL of a page. */
export function publicUrl(slug: string): string {
  return new URL(`/status/${slug}`, env.appUrl).href;
}

/** Returns the URL of a page's logo; null without one. Every upload has its own URL, so that it can be cached forever. */
export function publicLogoUrl(slug: string, logoKey: string | null): string | null {
  return logoKey === null ? null : `${publicUrl(slug)}/logo?v=${logoVersion(logoKey)}`;
}

function toStatusPage(row: Row): StatusPage {
  const shown = [
    ...row.monitors.map(({ monitorId, position }) => ({ id: monitorId, position })),
    ...row.components.map(({ id, position }) => ({ id, position })),
  ];
  return {
    id: row.id,
    teamId: row.teamId,
    slug: row.slug,
    title: row.title,
    description: row.description,
    isPublic: row.isPublic,
    monitorIds: row.monitors.map(({ monitorId }) => monitorId),
    displayNames: Object.fromEntries(
      row.monitors.flatMap(({ monitorId, displayName }) => (displayName === null ? [] : [[monitorId, displayName]])),
    ),
    components: row.components.map(({ position: _position, ...component }) => component),
    order: shown.sort((a, b) => a.position - b.position).map(({ id }) => id),
    externalId: row.externalId,
    logoUrl: publicLogoUrl(row.slug, row.logoKey),
    url: publicUrl(row.slug),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Returns a status page of the team.
 * @throws AppError NOT_FOUND
 */
export async function readStatusPage(db: Db, teamId: string, id: string): Promise<StatusPage> {
  const row = await db.statusPage.findFirst({ where: { id, teamId }, include });
  if (!row) throw statusPageNotFound();
  return toStatusPage(row);
}

/** The maximum number of monitors and components in one response of the list. A response has at least one status page. */
const MAX_LISTED = 1_000;

/** Returns how many of the status pages, from the first on, fit in one response of the list. */
function fitting(sizes: { monitors: number; components: number }[]): number {
  let sum = 0;
  const end = sizes.findIndex(({ monitors, components }) => {
    sum += monitors + components;
    return sum > MAX_LISTED;
  });
  return end < 0 ? sizes.length : Math.max(1, end);
}

/**
 * Returns a page of the team's status pages, newest first. It is shorter than its limit if the status pages have many monitors. The cursor is the
 * last ID of the previous page.
 */
export async function listStatusPages(
  db: Db,
  teamId: string,
  { limit, cursor, externalId }: ExternalIdPage,
): Promise<{ statusPages: StatusPage[]; nextCursor: string | null }> {
  const found = await db.statusPage.findMany({
    where: {
      teamId,
      ...(cursor !== undefined && { id: { lt: cursor } }),
      ...(externalId !== undefined && { externalId }),
    },
    select: { id: true, _count: { select: { monitors: true, components: true } } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(found, Math.min(limit, fitting(found.map(({ _count }) => _count))));
  const rows = await db.statusPage.findMany({
    where: { teamId, id: { in: page.map(({ id }) => id) } },
    include,
    orderBy: { id: 'desc' },
  });
  return { statusPages: rows.map(toStatusPage), nextCursor };
}

/** Sets the display names of a page's monitors by monitor ID, and clears those that are not given. */
export async function writeDisplayNames(tx: Tx, statusPageId: string, names: Record<string, string>): Promise<void> {
  // Raw: one statement sets a different value in each row.
  await tx.$executeRaw`
    update status_page_monitors set display_name = ${JSON.stringify(names)}::jsonb ->> monitor_id
    where status_page_id = ${statusPageId}`;
}

/** Sets the positions of a page's components to their index in `order`. */
export async function writeComponentOrder(tx: Tx, statusPageId: string, order: string[]): Promise<void> {
  // Raw: one statement sets a different value in each row. Keeps `updated_at`, because the components themselves did not change.
  await tx.$executeRaw`
    update status_page_components set position = array_position(${order}::text[], id) - 1
    where status_page_id = ${statusPageId} and id = any(${order}::text[])`;
}
