import type { Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import type { VerbContext } from '@/server/trpc/contexts';
import { boundValues } from './bound-values';

export interface Change {
  /** Given where the change must name its own entry. */
  id?: string;
  /** The team it belongs to; null for what concerns the whole instance. */
  teamId: string | null;
  /** "<thing>.<what happened>", for example `monitor.create`. */
  action: string;
  target: { type: string; id: string | null; name?: string | null };
  reason?: string;
  /** The thing as it may be shown: secrets masked or left out. */
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

type Author = Pick<Prisma.AuditEntryCreateManyInput, 'actorKind' | 'actorId' | 'actorName' | 'credential'>;

function describe({ actor }: VerbContext): Author {
  switch (actor.kind) {
    case 'anonymous':
      return { actorKind: 'anonymous', actorId: null, actorName: null, credential: null };
    case 'user': {
      const credential = actor.sessionKind === 'dashboard' ? 'session' : 'access token';
      return { actorKind: 'user', actorId: actor.user.id, actorName: actor.user.email, credential };
    }
    case 'key':
      return { actorKind: 'key', actorId: actor.user.id, actorName: actor.user.email, credential: actor.keyPrefix };
    default:
      return actor satisfies never;
  }
}

/** Only what differs stays, so that an entry says what changed and not what the thing is. */
function difference(before: Change['before'], after: Change['after']) {
  if (!before || !after) return { before, after };
  const changed = Object.keys({ ...before, ...after }).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map((key) => [key, from[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** An entry of the instance tells what is gone for good, so it is kept whole; a team's is bounded. */
function kept(side: Record<string, unknown>, { teamId }: Change): Prisma.InputJsonObject {
  return (teamId === null ? side : boundValues(side)) as Prisma.InputJsonObject;
}

/**
 * Writes an entry of the audit log in the transaction that makes the change: neither exists without the other.
 * `system` is for what nobody's request did, such as a plan that ended.
 * @returns the entry's id
 */
export async function recordAudit(tx: Tx, ctx: VerbContext | 'system', change: Change): Promise<string> {
  const { id = newId() } = change;
  const { before, after } = difference(change.before, change.after);
  await tx.auditEntry.create({
    data: {
      id,
      teamId: change.teamId,
      ...(ctx === 'system'
        ? { actorKind: 'system' as const }
        : { ...describe(ctx), address: ctx.address, requestId: ctx.requestId }),
      action: change.action,
      targetType: change.target.type,
      targetId: change.target.id,
      targetName: change.target.name ?? null,
      reason: change.reason ?? null,
      ...(before && { before: kept(before, change) }),
      ...(after && { after: kept(after, change) }),
    },
  });
  return id;
}
