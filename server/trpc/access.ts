import { AppError } from '@/server/platform/errors';
import { noteRequest } from '@/server/platform/request-facts';
import type { Actor } from './actor';
import type { Context } from './context';
import { limitRate } from './rate-limit';
import { resolveActor } from './resolve-actor';
import { type Action, allows, isStronger, type Resource, type Role, resourceOf, scopeName } from './schema';
import { type CallKind, inShareOf } from './share';

/** The callers of a procedure. Declared on the procedure and enforced here. */
export type Access =
  | { kind: 'public' }
  /** Anyone; if a credential is given, it must be valid. */
  | { kind: 'optional' }
  /** A signed-in user, in any team. */
  | { kind: 'user' }
  /**
   * A member of the credential's team with at least this role. A key needs a scope that allows this action on the procedure's resource. A personal
   * procedure rejects API keys, because keys belong to the team.
   */
  | { kind: 'team'; role: Role; scope: Action; isPersonal?: true }
  /** An administrator of the instance. */
  | { kind: 'admin' };

/** Returns the team and caller between which the web process shares its turns (api/call-gate.ts). */
const callerOf = (actor: Exclude<Actor, { kind: 'anonymous' }>) => ({
  team: actor.team?.id ?? `user:${actor.user.id}`,
  id: actor.kind === 'key' ? actor.keyId : actor.user.id,
  isKey: actor.kind === 'key',
});

/**
 * Resolves the caller once per request, and counts each call against the limit of its credential, or of its network if it has none or an invalid one.
 * A REST request is one call, a dashboard batch as many as it contains.
 * @throws AppError UNAUTHENTICATED for an invalid credential, RATE_LIMITED
 */
async function recognise(ctx: Context, access: Access, kind: CallKind): Promise<Actor> {
  const { address } = ctx;
  const count = async (actor: Actor) => {
    if (ctx.isUnlimited) return;
    const isDashboardRead = ctx.surface === 'dashboard' && kind !== 'mutation';
    const caller = { actor, address, isDashboardRead };
    try {
      await inShareOf({ actor, address, kind }, () => limitRate(caller, ctx.resHeaders));
    } catch (error) {
      const { limit, retryAfterSeconds: seconds } = error as AppError;
      if (limit !== undefined && seconds !== undefined) noteRequest(ctx.requestId, { exceeded: { limit, seconds } });
      throw error;
    }
  };
  let actor: Actor = { kind: 'anonymous' };
  try {
    if (access.kind !== 'public') {
      ctx.resolving ??= inShareOf({ actor, address, kind }, () => resolveActor(ctx.credential, address));
      actor = await ctx.resolving;
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED') noteRequest(ctx.requestId, { isRefused: true });
    await count(actor);
    throw error;
  }
  noteRequest(ctx.requestId, { actor: actor.kind, ...(actor.kind !== 'anonymous' && { caller: callerOf(actor) }) });
  await count(actor);
  return actor;
}

/** The number of objects of a bulk call that count as one call. */
const OBJECTS_PER_CALL = 10;
/** Validation rejects calls about more objects, so these are not counted further. */
const MOST_OBJECTS = 100;

/**
 * Counts a call about many objects, which its input names as `ids` or `monitors`, as further calls against the limit: one per ten objects in all.
 * @throws AppError RATE_LIMITED
 */
export async function countObjects({ address, resHeaders }: Context, actor: Actor, input: unknown): Promise<void> {
  const { ids, monitors } = (input ?? {}) as { ids?: unknown; monitors?: unknown };
  const listed = ids ?? monitors;
  const objects = Array.isArray(listed) ? Math.min(listed.length, MOST_OBJECTS) : 0;
  for (let counted = OBJECTS_PER_CALL; counted < objects; counted += OBJECTS_PER_CALL) {
    await inShareOf({ actor, address, kind: 'mutation' }, () => limitRate({ actor, address }, resHeaders));
  }
}

/**
 * Verifies that `actor` meets `access`. A key needs a scope for the resource, or for any if that is null.
 * @throws AppError UNAUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN
 */
function assertAccess(access: Access, actor: Actor, resource: Resource | null): void {
  if (access.kind === 'public' || (access.kind === 'optional' && actor.kind === 'anonymous')) return;
  if (actor.kind === 'anonymous')
    throw new AppError('UNAUTHENTICATED', 'Authentication required. Sign in or send a valid credential.');
  switch (access.kind) {
    case 'optional':
    case 'user':
      if (actor.kind !== 'user')
        throw new AppError('FORBIDDEN', 'Only signed-in users can do this. API keys are not accepted.');
      return;
    case 'admin':
      if (actor.kind !== 'user' || !actor.user.isAdmin) {
        throw new AppError('FORBIDDEN', 'Only instance administrators can do this.');
      }
      return;
    case 'team':
      if (!actor.team || !actor.role)
        throw new AppError('UNAUTHENTICATED', 'This credential does not belong to a team.');
      if (actor.kind === 'key' && access.isPersonal)
        throw new AppError('FORBIDDEN', 'This belongs to a person. API keys are not accepted; send an access token.');
      if (actor.kind === 'key' && !allows(actor.scopes, access.scope, resource)) {
        const missing = resource === null ? access.scope : scopeName(access.scope, resource);
        throw new AppError('INSUFFICIENT_SCOPE', `This API key lacks the scope "${missing}".`);
      }
      if (isStronger(access.role, actor.role)) {
        throw new AppError('FORBIDDEN', `This requires the role ${access.role}; your role is ${actor.role}.`);
      }
      return;
    default:
      access satisfies never;
  }
}

/** Whether `actor` meets `access`, as `assertAccess` would say. */
export function hasAccess(...of: Parameters<typeof assertAccess>): boolean {
  try {
    assertAccess(...of);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the resource of a team's procedure, by the table of resources (schema.ts).
 * @throws Error if the table does not contain the procedure's router
 */
export function resourceFor(procedure: string): Resource {
  const resource = resourceOf(procedure);
  if (resource === null) throw new Error(`${procedure} belongs to no resource.`);
  return resource;
}

/**
 * Resolves the caller and verifies a procedure's access. REST calls it before reading the body; the procedure then reuses the result.
 * @param resource what a team's procedure is about; null for any resource
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED, INSUFFICIENT_SCOPE, FORBIDDEN
 */
export async function authorise(
  ctx: Context,
  access: Access,
  kind: CallKind,
  resource: Resource | null,
): Promise<Actor> {
  if (ctx.authorised?.access === access) return ctx.authorised.actor;
  const actor = await recognise(ctx, access, kind);
  assertAccess(access, actor, resource);
  // Not in a batch of the dashboard, because each of its calls has to be authorised and counted.
  if (ctx.surface !== 'dashboard') ctx.authorised = { access, actor };
  return actor;
}
