import { acknowledgeLinkInvalid, readAcknowledgeToken } from '@/server/notifications/acknowledge-link';
import type { Db } from '@/server/platform/db';
import type { VerbContext } from '@/server/trpc/contexts';
import type { Acknowledgment } from './schema';

/** The incident of an acknowledge link, and the channel that the link was sent to. */
export interface LinkedIncident {
  id: string;
  teamId: string;
  channelName: string;
  /** The member whose contact method the channel is, by name. */
  ownerName: string | null;
  shown: Acknowledgment;
}

/**
 * Reads what a link is about. It ends with its incident and its channel.
 * @throws AppError NOT_FOUND
 */
export async function readLinkedIncident(db: Db, token: string): Promise<LinkedIncident> {
  const { incidentId, channelId } = readAcknowledgeToken(token);
  const channel = await db.channel.findUnique({
    where: { id: channelId },
    select: {
      ...{ name: true, teamId: true, team: { select: { name: true } } },
      owner: { select: { user: { select: { name: true, email: true } } } },
    },
  });
  if (!channel) throw acknowledgeLinkInvalid();
  const { teamId } = channel;
  const row = await db.incident.findFirst({
    where: { id: incidentId, teamId },
    include: {
      monitor: { select: { name: true } },
      updates: { where: { kind: 'acknowledged' }, orderBy: [{ at: 'desc' }, { id: 'desc' }], take: 1 },
    },
  });
  if (!row) throw acknowledgeLinkInvalid();
  const { id, title, status, startedAt, monitor, updates } = row;
  const shown = {
    title: title ?? 'Incident',
    monitorName: monitor?.name ?? null,
    teamName: channel.team.name,
    status,
    startedAt: startedAt.toISOString(),
    acknowledgedBy: status === 'open' ? null : (updates[0]?.authorName ?? null),
  };
  const owner = channel.owner?.user;
  return { id, teamId, channelName: channel.name, ownerName: owner ? (owner.name ?? owner.email) : null, shown };
}

/**
 * The question shown for an acknowledge link. Read-only: link previews request it.
 * @throws AppError NOT_FOUND (an invalid or expired link, or a deleted channel or incident)
 */
export async function getAcknowledgment({
  ctx,
  input: { token },
}: {
  ctx: VerbContext;
  input: { token: string };
}): Promise<Acknowledgment> {
  return (await readLinkedIncident(ctx.db, token)).shown;
}
