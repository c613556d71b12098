import { scheduler } from 'node:timers/promises';
import type { Db } from '@/server/platform/db';
import { componentSpans, toHistory } from './components/component-history';
import { readNaming } from './components/component-queries';
import { barStart, toPublicComponent } from './components/public-component';
import { publicId } from './public-id';
import type { Component } from './schema';

/** The number of components that are prepared before yielding the thread. */
const AT_ONCE = 20;

/**
 * Reads the components of a page without a monitor. Their history comes from the incidents that name them; before the oldest one that is read, they
 * have no data.
 */
export async function readOwnComponents(
  db: Db,
  { id: statusPageId, teamId }: { id: string; teamId: string },
  now: Date,
): Promise<{ id: string; position: number; monitor: null; component: Component }[]> {
  const rows = await db.statusPageComponent.findMany({
    where: { statusPageId },
    select: { id: true, name: true, description: true, position: true, createdAt: true },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  if (rows.length === 0) return [];
  const namingOf = await readNaming(
    db,
    teamId,
    rows.map(({ id }) => id),
    barStart(now),
  );
  const components: { id: string; position: number; monitor: null; component: Component }[] = [];
  for (const [index, { id, name, description, position, createdAt }] of rows.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await scheduler.yield();
    const { incidents, knownSince } = namingOf(id);
    const from = knownSince && knownSince > createdAt ? knownSince : createdAt;
    const spans = componentSpans(from, incidents);
    const present = spans.at(-1);
    const shown = {
      id: publicId(statusPageId, id),
      name,
      description,
      // Never undefined: there is a span since the creation, and spans are up, degraded or down.
      status: present?.status ?? 'up',
      since: present?.startedAt ?? createdAt,
    };
    components.push({ id, position, monitor: null, component: toPublicComponent(shown, toHistory(spans), now) });
  }
  return components;
}
