import type { Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import type { VerbContext } from '@/server/trpc/contexts';
import { boundValues } from './bound-values';
import { insertEntries } from './queries';

export interface Change {
  /** Set if the change must reference its own entry. */
  id?: string;
  /** Null for an entry of the whole instance. */
  teamId: string | null;
  /** "<object>.<action>", for example `monitor.create`. */
  action: string;
  target: { type: string; id: string | null; name?: string | null };
  reason?: string;
  /** The object with secrets masked or omitted. */
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

/** Keeps only the changed fields. */
function difference(before: Change['before'], after: Change['after']) {
  if (!before || !after) return { before, after };
  const changed = Object.keys({ ...before, ...after }).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map((key) => [key, from[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Limits the size of the values of a team's entry. Entries of the instance describe deleted data and are stored completely. */
function kept(side: Record<string, unknown>, { teamId }: Change): Prisma.InputJsonObject {
  return (teamId === null ? side : boundValues(side)) as Prisma.InputJsonObject;
}

/**
 * Writes an audit entry in the transaction of the change, so that both commit together. Use `system` for changes
 * without a request, such as a plan that ended.
 * @returns the ID of the entry
 */
export async function recordAudit(tx: Tx, ctx: VerbContext | 'system', change: Change): Promise<string> {
  const { id = newId() } = change;
  await recordAudits(tx, ctx, [{ ...change, id }]);
  return id;
}

/** Writes the audit entries of several changes in one statement, in the transaction of these changes. */
export async function recordAudits(tx: Tx, ctx: VerbContext | 'system', changes: Change[]): Promise<void> {
  const author =
    ctx === 'system'
      ? { actorKind: 'system' as const }
      : { ...describe(ctx), address: ctx.address, requestId: ctx.requestId };
  const entries = changes.map((change) => {
    const { before, after } = difference(change.before, change.after);
    return {
      id: change.id ?? newId(),
      teamId: change.teamId,
      ...author,
      action: change.action,
      targetType: change.target.type,
      targetId: change.target.id,
      targetName: change.target.name ?? null,
      reason: change.reason ?? null,
      ...(before && { before: kept(before, change) }),
      ...(after && { after: kept(after, change) }),
    };
  });
  await insertEntries(tx, entries);
}
