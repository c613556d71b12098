import type { Db } from '@/server/platform/db';
import { componentSpans, toHistory } from './components/component-history';
import { barStart, toPublicComponent } from './components/public-component';
import { publicId } from './public-id';
import type { Component } from './schema';

/** Reads the components of a page without a monitor. Their history comes from the incidents that name them. */
export async function readOwnComponents(
  db: Db,
  statusPageId: string,
  now: Date,
): Promise<{ id: string; position: number; monitor: null; component: Component }[]> {
  const rows = await db.statusPageComponent.findMany({
    where: { statusPageId },
    select: {
      id: true,
      name: true,
      description: true,
      position: true,
      createdAt: true,
      incidents: {
        where: { incident: { OR: [{ resolvedAt: null }, { resolvedAt: { gt: barStart(now) } }] } },
        select: { incident: { select: { severity: true, startedAt: true, resolvedAt: true } } },
      },
    },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ id, name, description, position, createdAt, incidents }) => {
    const spans = componentSpans(
      createdAt,
      incidents.map(({ incident }) => incident),
    );
    const present = spans.at(-1);
    const shown = {
      id: publicId(statusPageId, id),
      name,
      description,
      // Never undefined: there is a span since the creation, and spans are up, degraded or down.
      status: present?.status ?? 'up',
      since: present?.startedAt ?? createdAt,
    };
    return { id, position, monitor: null, component: toPublicComponent(shown, toHistory(spans), now) };
  });
}
