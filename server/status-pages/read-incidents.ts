import { toPublicUpdate } from '@/server/incidents/updates/public-updates';
import type { Db } from '@/server/platform/db';
import { DAY_MS } from '@/server/time/schema';
import { publicTitle } from './components/component-names';
import { statusBySeverity } from './components/component-status';
import { type PageIncident, readOpenIncidents, readPastIncidents, readPublicUpdates } from './page-queries';
import { publicId } from './public-id';
import type { PageComponent } from './read-components';
import type { PublicIncident } from './schema';

const PAST_DAYS = 90;
/** The limits of a page. The dashboard shows all incidents. */
const MOST_OPEN = 100;
const MOST_PAST = 50;
/**
 * The maximum number of updates on a page, the latest ones. Limited because a page is read up to twice a second and its documents contain all of
 * them.
 */
const MOST_UPDATES = 500;
const MOST_CHARACTERS = 200_000;

type Updates = Awaited<ReturnType<typeof readPublicUpdates>>;

/** "Shop was down" */
const inPast = (title: string) => title.replace(/ is (?=(?:down|degraded|slow)$)/, ' was ');

/** Reads the latest updates of these incidents by incident, as many as fit on a page. */
async function readUpdates(db: Db, ids: string[]): Promise<Map<string, Updates>> {
  const updates: Map<string, Updates> = new Map(ids.map((id) => [id, []]));
  let left = MOST_CHARACTERS;
  for (const update of await readPublicUpdates(db, ids, MOST_UPDATES)) {
    left -= update.message.length;
    if (left < 0) break;
    updates.get(update.incidentId)?.push(update);
  }
  return updates;
}

function titleOf(
  { type, status, title, monitorId, isByPerson }: PageIncident,
  { monitor, component }: PageComponent,
): string {
  if (title !== null && isByPerson) return title;
  // A generated title contains the name of the monitor, which may not be on this page.
  const generated =
    title !== null && monitor && monitor.id === monitorId
      ? publicTitle(title, monitor, component.name)
      : `${component.name} is ${type === 'degraded' ? 'degraded' : 'down'}`;
  return status === 'resolved' ? inPast(generated) : generated;
}

/** Returns the impact of an incident on its components: by its type, or by its severity for a manual incident with components without a monitor. */
function impactOf({ type, severity }: PageIncident, on: PageComponent[]): PublicIncident['impact'] {
  if (type === 'downtime') return 'down';
  return on.some(({ monitor }) => monitor === null) ? statusBySeverity(severity) : 'degraded';
}

function toPublic(
  statusPageId: string,
  row: PageIncident,
  { on, updates }: { on: [PageComponent, ...PageComponent[]]; updates: Updates },
): PublicIncident {
  const components = on.map(({ component }) => component);
  return {
    id: publicId(statusPageId, row.id),
    title: titleOf(row, on[0]),
    status: row.status,
    impact: impactOf(row, on),
    startedAt: row.startedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    component: components.map(({ name }) => name).join(', '),
    componentIds: components.map(({ id }) => id),
    updates: updates.flatMap(toPublicUpdate).map((update) => ({ ...update, id: publicId(statusPageId, update.id) })),
  };
}

/**
 * Reads the incidents of a page's monitors and components with public texts: open ones most severe first, resolved ones latest first. Leaves out
 * certificate incidents, which are internal.
 */
export async function readIncidents(
  db: Db,
  { id, teamId }: { id: string; teamId: string },
  components: PageComponent[],
  now: Date,
): Promise<{ openIncidents: PublicIncident[]; pastIncidents: PublicIncident[] }> {
  const scope = {
    teamId,
    monitorIds: components.flatMap(({ monitor }) => monitor?.id ?? []),
    componentIds: components.flatMap(({ id: own, monitor }) => (monitor ? [] : own)),
  };
  const since = new Date(now.getTime() - PAST_DAYS * DAY_MS);
  const [open, past] = await Promise.all([
    readOpenIncidents(db, scope, MOST_OPEN),
    readPastIncidents(db, scope, { since, limit: MOST_PAST }),
  ]);
  const updates = await readUpdates(
    db,
    [...open, ...past].map((row) => row.id),
  );
  const byId = new Map(components.map((each) => [each.id, each]));
  const toIncidents = (rows: PageIncident[]) =>
    rows.flatMap((row) => {
      const ids = [row.monitorId, ...row.furtherIds, ...row.componentIds];
      const [first, ...further] = ids.flatMap((each) => byId.get(each ?? '') ?? []);
      return first ? [toPublic(id, row, { on: [first, ...further], updates: updates.get(row.id) ?? [] })] : [];
    });
  return { openIncidents: toIncidents(open), pastIncidents: toIncidents(past) };
}
