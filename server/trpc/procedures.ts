import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { z } from 'zod';
import { assertText } from '@/server/platform/assert-text';
import { AppError, type ErrorCode } from '@/server/platform/errors';
import { withoutReordering } from '@/server/platform/plain-text';
import { noteRequest } from '@/server/platform/request-facts';
import { type Access, authorise, countObjects, resourceFor } from './access';
import type { Actor } from './actor';
import type { Context } from './context';
import type { GuestContext, PersonContext, TeamContext } from './contexts';
import { errorTable, logFailure, setErrorHeaders, toAppError, toEnvelope } from './error-table';
import { limitTeam, type TeamLimit } from './rate-limit';
import type { Action, Role } from './schema';
import { runInShareOf } from './share';
import { limitAuth } from './throttle';

export interface ProcedureMeta {
  access?: Access;
  /**
   * Every call counts against RATE_LIMIT_PER_MINUTE, by REST and in batches of the dashboard alike. `auth` calls also count against
   * AUTH_RATE_LIMIT_PER_MINUTE, by network; `notifying` calls against a tenth of RATE_LIMIT_PER_MINUTE and `trying` ones against a quarter, by team.
   */
  limit?: 'auth' | TeamLimit;
  /** A call about many objects (`ids` or `monitors`), which counts as one call per ten of them. */
  isBulk?: true;
  /** REST answers 201 instead of 200. With `sometimes`, only if the procedure sets `ctx.answer.created`. */
  created?: boolean | 'sometimes';
  /** Marks a POST that changes nothing: a repetition with the same Idempotency-Key is executed again, and no response is stored. */
  changesNothing?: true;
  /** Documented error codes besides those that follow from its access, method and path. */
  errors?: ErrorCode[];
  openapi?: NonNullable<OpenApiMeta['openapi']>;
  /** A second REST address of the same operation, with the same parameters. */
  alsoAt?: { path: `/${string}`; tags: string[] };
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    sse: { ping: { enabled: true, intervalMs: 10_000 }, client: { reconnectAfterInactivityMs: 25_000 } },
    errorFormatter({ shape, error }) {
      const { code, httpStatus } = shape.data;
      return { ...shape, data: { code, httpStatus, error: toEnvelope(fromTrpc(error)) } };
    },
  });

/**
 * Maps an error of tRPC to an AppError: one that a verb threw, an invalid input, or tRPC's own rejections (an unknown path, an invalid body), whose
 * causes are hidden from the caller.
 */
function fromTrpc(error: TRPCError): AppError {
  const { code, cause } = error;
  if (cause instanceof AppError || cause instanceof z.core.$ZodError) return toAppError(cause);
  if (code === 'NOT_FOUND') return new AppError('NOT_FOUND', 'There is no such procedure.');
  if (code === 'PARSE_ERROR' || code === 'BAD_REQUEST') {
    return new AppError('VALIDATION_ERROR', 'The request could not be read.');
  }
  if (code === 'METHOD_NOT_SUPPORTED') return new AppError('METHOD_NOT_ALLOWED', 'This method is not supported.');
  if (code === 'UNSUPPORTED_MEDIA_TYPE') return new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body is not JSON.');
  return toAppError(cause ?? error);
}

/** Maps the errors of verbs for all auth surfaces, sets their response headers, and logs server errors. */
const mapErrors = t.middleware(async ({ next, ctx, path }) => {
  const result = await next();
  if (result.ok) return result;
  const { error } = result;
  const appError = fromTrpc(error);
  if (appError.code === 'UNAVAILABLE') noteRequest(ctx.requestId, { isDatabaseAway: true });
  logFailure(ctx.log, appError, { procedure: path }, 'A procedure failed');
  setErrorHeaders(appError, ctx.resHeaders);
  const failure = new TRPCError({ code: errorTable[appError.code].trpc, message: appError.message, cause: appError });
  // For pages, Next passes only the digest of an error to the client, and keeps an existing one.
  throw appError.code === 'UNAVAILABLE' ? Object.assign(failure, { digest: appError.code }) : failure;
});

/**
 * Resolves the caller, enforces the access and the limits that the procedure declares, and runs it in the caller's share. The only place that does
 * so.
 */
const enforce = t.middleware(async ({ next, ctx, meta, type, path, getRawInput }) => {
  const access = meta?.access;
  if (!access) throw new Error('This procedure declares no access.');
  if (meta.limit === 'auth') await limitAuth(ctx.address);
  const resource = access.kind === 'team' ? resourceFor(path) : null;
  const actor = await authorise(ctx, access, type, resource);
  if (meta.limit && meta.limit !== 'auth' && actor.kind !== 'anonymous' && actor.team) {
    await limitTeam(meta.limit, actor.team.id);
  }
  const input = await getRawInput();
  assertText(input);
  if (meta.isBulk) await countObjects(ctx, actor, input);
  return runInShareOf({ actor, address: ctx.address, kind: type }, () => next({ ctx: { actor } }));
});

/** Removes characters from user text that would reorder the text around it on a page. REST returns the text unchanged. */
const forPages = t.middleware(async ({ next, ctx }) => {
  const result = await next();
  if (!result.ok || ctx.surface !== 'dashboard') return result;
  return { ...result, data: withoutReordering(result.data) };
});

const base = t.procedure.use(mapErrors).use(forPages).use(enforce);

export const { router } = t;

/** The input of a procedure without input. Every procedure has an input schema, so that unknown fields are rejected. */
export const NoInput = z.strictObject({}).optional();

/** For anyone. Does not read the credential, so `ctx.actor` is anonymous. */
export const publicProcedure = base.meta({ access: { kind: 'public' } });

/** For anyone; `ctx.actor` is the user of the credential, or anonymous without one. */
export const optionalProcedure = base
  .meta({ access: { kind: 'optional' } })
  .use(({ next, ctx }) => next({ ctx: asGuest(ctx) }));

/** For signed-in users; provides `ctx.user` and `ctx.actor`. */
export const userProcedure = base
  .meta({ access: { kind: 'user' } })
  .use(({ next, ctx }) => next({ ctx: asPerson(ctx) }));

/** For administrators of the instance. */
export const adminProcedure = base
  .meta({ access: { kind: 'admin' } })
  .use(({ next, ctx }) => next({ ctx: asPerson(ctx) }));

/**
 * Returns a procedure for members of a team with at least `role`; keys need a scope that allows `scope` on the procedure's resource. Provides
 * `ctx.team` (with the caller's role) and `ctx.user`.
 */
export function teamProcedure({ role, scope, ...rest }: { role: Role; scope: Action; isPersonal?: true }) {
  return base
    .meta({ access: { kind: 'team', role, scope, ...rest } })
    .use(({ next, ctx }) => next({ ctx: inTeam(ctx) }));
}

type OperationMeta = Omit<ProcedureMeta, 'access' | 'openapi' | 'alsoAt'> & { tag?: string; alsoAt?: `/${string}` };

/**
 * Returns the function that declares procedures as REST operations with this tag in the document.
 * @param alsoTag the tag of an operation at its second path, `alsoAt`
 */
export function operations(tag: string, alsoTag = tag) {
  return (
    method: NonNullable<ProcedureMeta['openapi']>['method'],
    path: `/${string}`,
    summary: string,
    { tag: own = tag, alsoAt, ...more }: OperationMeta = {},
  ): ProcedureMeta => ({
    openapi: { method, path, tags: [own], summary },
    ...(alsoAt && { alsoAt: { path: alsoAt, tags: [alsoTag] } }),
    ...more,
  });
}

/**
 * Wraps an output schema, so that zod's compiled code validates it. Zod uses that code only in synchronous calls, but tRPC always awaits a promise,
 * which this wrapper resolves. For schemas without asynchronous parts.
 */
export function compiled<Schema extends z.ZodType>(schema: Schema): Schema {
  const copy = schema.clone();
  copy.parseAsync = async (value, params) => copy.parse(value, params);
  return copy;
}

// The next functions narrow the types to what `enforce` has verified.
function asGuest({ actor }: { actor: Actor }): Pick<GuestContext, 'actor'> {
  if (actor.kind === 'key') throw new Error('enforce let a key pass.');
  return { actor };
}

function asPerson({ actor }: { actor: Actor }): Pick<PersonContext, 'actor' | 'user'> {
  if (actor.kind !== 'user') throw new Error('enforce let a caller pass who is not a person.');
  return { actor, user: actor.user };
}

function inTeam({ actor }: { actor: Actor }): Pick<TeamContext, 'actor' | 'user' | 'team'> {
  if (actor.kind === 'anonymous' || !actor.team || !actor.role)
    throw new Error('enforce let an anonymous caller pass.');
  return { actor, user: actor.user, team: { ...actor.team, role: actor.role } };
}
