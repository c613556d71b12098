import { randomToken, sha256 } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import { lockIncident } from '@/server/platform/locks';
import type { Call, OnOneObject, TeamContext, VerbContext } from '@/server/trpc/contexts';
import { auditIncident } from './audit-incident';
import { htmlOf } from './postmortems/postmortem-html';
import { incidentNotFound, ofExistingTeam } from './queries';
import { SharedIncident } from './schema';
import { incidentInclude } from './to-incident';
import { publicUpdates, toPublicUpdate } from './updates/public-updates';

/** Stores or removes (null) the hash of an incident's public link. Does nothing if there is no link to remove. */
async function setShareHash(ctx: TeamContext, id: string, shareHash: string | null): Promise<void> {
  const { id: teamId } = ctx.team;
  await ctx.db.$transaction(async (tx) => {
    await lockIncident(tx, teamId, id);
    const before = await tx.incident.findFirst({ where: { id, teamId } });
    if (!before) throw incidentNotFound();
    if (shareHash === null && before.shareHash === null) return;
    const row = await tx.incident.update({ where: { id }, data: { shareHash }, include: incidentInclude });
    await auditIncident(tx, ctx, shareHash === null ? 'incident.unshare' : 'incident.share', row);
    await notify(tx, { team: teamId, kind: 'incident', ids: [id] });
  });
}

/**
 * Creates a link through which anyone can read an incident; a previous link ends. Stores only a hash of the token.
 * @returns the link, which cannot be read again
 * @throws AppError NOT_FOUND
 */
export async function shareIncident({ ctx, input: { id } }: OnOneObject): Promise<{ token: string; url: string }> {
  const token = randomToken();
  await setShareHash(ctx, id, sha256(token));
  return { token, url: `${env.appUrl}/shared/${token}` };
}

/**
 * Revokes the public link of an incident; does nothing if there is none.
 * @throws AppError NOT_FOUND
 */
export async function unshareIncident({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  await setShareHash(ctx, id, null);
  return { ok: true };
}

/**
 * Returns the public view of a shared incident.
 * @throws AppError NOT_FOUND (an unknown or revoked link)
 */
export async function getSharedIncident({
  ctx,
  input: { token },
}: Call<{ token: string }, VerbContext>): Promise<SharedIncident> {
  const row = await ctx.db.incident.findUnique({
    where: { shareHash: sha256(token), ...ofExistingTeam },
    include: {
      updates: { where: publicUpdates, orderBy: [{ at: 'desc' }, { id: 'desc' }], take: 200 },
      postmortem: { where: { publishedAt: { not: null } }, select: { body: true, html: true, htmlVersion: true } },
    },
  });
  if (!row) throw new AppError('NOT_FOUND', 'This link is not valid. It may have been revoked.');
  return SharedIncident.parse({
    title: row.title ?? 'Incident',
    status: row.status,
    startedAt: row.startedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    updates: row.updates.flatMap(toPublicUpdate).map(({ id: _id, ...update }) => update),
    postmortem: row.postmortem?.body ?? null,
    postmortemHtml: row.postmortem && htmlOf(row.postmortem),
  });
}
