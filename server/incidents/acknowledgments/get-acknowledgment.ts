import { findAcknowledgeGroup } from '@/server/notifications/acknowledgments/acknowledge-group';
import {
  type AcknowledgeTarget,
  acknowledgeLinkInvalid,
  type Opening,
  readAcknowledgeToken,
} from '@/server/notifications/acknowledgments/acknowledge-link';
import type { Db } from '@/server/platform/db';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { readForLink } from '../affected-queries';
import type { Acknowledgment } from '../schema';

/** The incidents of an acknowledge link, and the channel that the link was sent to. */
export interface LinkedIncidents {
  teamId: string;
  channelName: string;
  /** The name of the member whose contact method the channel is. */
  ownerName: string | null;
  openings: Opening[];
  shown: Acknowledgment;
}

/** Returns the incidents of an acknowledge link; empty for a group that was not sent to this channel. */
async function openingsOf(db: Db, target: AcknowledgeTarget, channelId: string): Promise<Opening[]> {
  if (!('groupId' in target)) return [target];
  const group = await findAcknowledgeGroup(db, target.groupId);
  return group?.channelId === channelId ? group.openings : [];
}

const order: Acknowledgment['incidents'][number]['status'][] = ['open', 'acknowledged', 'resolved'];

/** The maximum number of monitors that the page names for each incident; messages have the same limit. */
const MOST_NAMES = 20;

/** Returns the incidents as the page of the link shows them: open ones first, then acknowledged, then resolved. */
async function describe(db: Db, teamId: string, openings: Opening[]): Promise<Acknowledgment['incidents']> {
  const ids = openings.map(({ incidentId }) => incidentId);
  const rows = await db.incident.findMany({
    where: { id: { in: ids }, teamId },
    orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
  });
  const details = await readForLink(
    db,
    rows.map(({ id }) => id),
    MOST_NAMES,
  );
  const openingById = new Map(openings.map(({ incidentId, opening }) => [incidentId, opening]));
  const shown = rows.map(({ id, title, status, startedAt, reopenings }) => {
    const { monitorNames = [], acknowledgedBy = null } = details.get(id) ?? {};
    return {
      title: title ?? 'Incident',
      monitorNames,
      status,
      startedAt: startedAt.toISOString(),
      acknowledgedBy: status === 'open' ? null : acknowledgedBy,
      isReopened: openingById.get(id) !== reopenings,
    };
  });
  return shown.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
}

/**
 * Verifies the token of an acknowledge link and reads its incidents and its channel.
 * @throws AppError NOT_FOUND (an invalid or expired link, or a deleted channel, or all its incidents are deleted)
 */
export async function readLinkedIncidents(db: Db, token: string): Promise<LinkedIncidents> {
  const { target, channelId } = readAcknowledgeToken(token);
  const channel = await db.channel.findUnique({
    where: { id: channelId },
    select: {
      name: true,
      teamId: true,
      team: { select: { name: true } },
      owner: { select: { user: { select: { name: true, email: true } } } },
    },
  });
  const { teamId = null, team } = channel ?? {};
  if (!channel || teamId === null || !team) throw acknowledgeLinkInvalid();
  const { name: channelName, owner } = channel;
  const openings = await openingsOf(db, target, channelId);
  const incidents = await describe(db, teamId, openings);
  if (incidents.length === 0) throw acknowledgeLinkInvalid();
  const ownerName = owner ? (owner.user.name ?? owner.user.email) : null;
  return { teamId, channelName, ownerName, openings, shown: { teamName: team.name, incidents } };
}

/**
 * Returns the content of an acknowledge link's page. Read-only, because link previews request it.
 * @throws AppError NOT_FOUND (an invalid or expired link, or a deleted channel or incident)
 */
export async function getAcknowledgment({
  ctx,
  input: { token },
}: Call<{ token: string }, VerbContext>): Promise<Acknowledgment> {
  return (await readLinkedIncidents(ctx.db, token)).shown;
}
