import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { z } from 'zod';
import { AppError, type ErrorCode, invalidField } from '@/server/platform/errors';
import type { Role, Scope } from '@/server/platform/generated/prisma/enums';
import { noteRequest } from '@/server/platform/request-facts';
import { type Access, authorise } from './access';
import type { Context } from './context';
import type { GuestContext, PersonContext, TeamContext } from './contexts';
import { setErrorHeaders } from './error-headers';
import { errorTable, toAppError, toEnvelope } from './error-table';
import { logFailure } from './log-failure';
import type { Actor } from './resolve-actor';
import { limitAuth } from './throttle';

export interface ProcedureMeta {
  access?: Access;
  /**
   * Every call is counted against RATE_LIMIT_PER_MINUTE, by REST and in batches of the dashboard alike. `auth`: also against
   * AUTH_RATE_LIMIT_PER_MINUTE, by network.
   */
  limit?: 'auth';
  /** REST answers 201 instead of 200; `sometimes`: where the procedure set `ctx.answer.created`. */
  created?: boolean | 'sometimes';
  /** Codes it answers beside those that follow from its access, method and path; for the document. */
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
 * One of our errors of what tRPC hands on: what a verb threw, an input that does not fit, or what tRPC itself refuses (a
 * path it does not know, a body it cannot parse), whose causes are nothing a caller should be told.
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

/**
 * Refuses text that PostgreSQL cannot keep (NUL) and text that is not well-formed Unicode, wherever it stands in the
 * input, and the name `__proto__`, which schemas do not see. Iterative, since a body may be nested as deep as its size allows.
 */
function assertText(input: unknown): void {
  const rest: { path: string; value: unknown }[] = [{ path: '', value: input }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') {
      if (value.includes('\u0000') || !value.isWellFormed()) {
        throw invalidField(path, 'Text cannot contain NUL or unpaired surrogates.');
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (key.includes('\u0000') || !key.isWellFormed()) {
          throw invalidField(path, 'Field names cannot contain NUL or unpaired surrogates.');
        }
        const below = path && path.length < 200 ? `${path}.${key}` : path || key;
        if (key === '__proto__') throw invalidField(below, 'This field name is not allowed.');
        rest.push({ path: below, value: inner });
      }
    }
  }
}

/** Maps the errors of verbs, for both auth surfaces; server errors are logged. */
const mapErrors = t.middleware(async ({ next, ctx, path }) => {
  const result = await next();
  if (result.ok) return result;
  const { error } = result;
  const appError = fromTrpc(error);
  if (appError.code === 'UNAVAILABLE') noteRequest(ctx.requestId, { isDatabaseAway: true });
  logFailure(ctx.log, appError, { procedure: path }, 'A procedure failed');
  setErrorHeaders(appError, ctx.resHeaders);
  const failure = new TRPCError({ code: errorTable[appError.code].trpc, message: appError.message, cause: appError });
  // In a page, Next hands on nothing of an error but its digest, and makes none where there is one.
  throw appError.code === 'UNAVAILABLE' ? Object.assign(failure, { digest: appError.code }) : failure;
});

/** The one place where a caller is recognised and what a procedure declares is held against it. */
const enforce = t.middleware(async ({ next, ctx, meta, type, getRawInput }) => {
  const access = meta?.access;
  if (!access) throw new Error('This procedure declares no access.');
  if (meta.limit === 'auth') await limitAuth(ctx.address);
  const actor = await authorise(ctx, access, type);
  assertText(await getRawInput());
  return next({ ctx: { actor } });
});

const base = t.procedure.use(mapErrors).use(enforce);

export const { router } = t;

/** The input of a procedure that takes none: every procedure has one, so that unknown fields are refused. */
export const NoInput = z.strictObject({}).optional();

/** For anyone. */
export const publicProcedure = base.meta({ access: { kind: 'public' } });

/** For anyone; `ctx.actor` is the person whose credential came along, else nobody. */
export const optionalProcedure = base
  .meta({ access: { kind: 'optional' } })
  .use(({ next, ctx }) => next({ ctx: asGuest(ctx) }));

/** For a signed-in person; gives `ctx.user` and `ctx.actor`. */
export const userProcedure = base
  .meta({ access: { kind: 'user' } })
  .use(({ next, ctx }) => next({ ctx: asPerson(ctx) }));

/** For an administrator of the instance. */
export const adminProcedure = base
  .meta({ access: { kind: 'admin' } })
  .use(({ next, ctx }) => next({ ctx: asPerson(ctx) }));

/** For members of a team from `role` upwards; keys need `scope`. Gives `ctx.team` (with the caller's role) and `ctx.user`. */
export function teamProcedure({ role, scope }: { role: Role; scope: Scope }) {
  return base.meta({ access: { kind: 'team', role, scope } }).use(({ next, ctx }) => next({ ctx: inTeam(ctx) }));
}

/**
 * An output schema, checked with the code zod compiles for it. Zod does so only where nothing may be asynchronous, and
 * tRPC always asks for a promise; this one's is of an answer that is there. For schemas without asynchronous parts.
 */
export function compiled<Schema extends z.ZodType>(schema: Schema): Schema {
  const copy = schema.clone();
  copy.parseAsync = async (value, params) => copy.parse(value, params);
  return copy;
}

// These only tell the compiler what `enforce` has made sure of.
function asGuest({ actor }: { actor: Actor }): Pick<GuestContext, 'actor'> {
  if (actor.kind === 'key') throw new Error('enforce let a key pass.');
  return { actor };
}

function asPerson({ actor }: { actor: Actor }): Pick<PersonContext, 'actor' | 'user'> {
  if (actor.kind !== 'user') throw new Error('enforce let a caller pass who is not a person.');
  return { actor, user: actor.user };
}

function inTeam({ actor }: { actor: Actor }): Pick<TeamContext, 'actor' | 'user' | 'team'> {
  if (actor.kind === 'anonymous' || !actor.team || !actor.role) throw new Error('enforce let a stranger pass.');
  return { actor, user: actor.user, team: { ...actor.team, role: actor.role } };
}
