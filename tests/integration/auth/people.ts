import { expect, vi } from 'vitest';
import { signUp } from '@/server/account/sign-up';
import type { SignedIn } from '@/server/auth/schema';
import { db, type Tx } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import type { Actor } from '@/server/trpc/actor';
import type { PersonContext, TeamContext, VerbContext } from '@/server/trpc/contexts';
import { type Credential, resolveActor } from '@/server/trpc/resolve-actor';

export const PASSWORD = 'correct horse battery';

let people = 0;

/** The context of an anonymous request; each comes from another address by default. */
export function outsider(address = `198.51.100.${people++ % 250}`): VerbContext {
  return { db, log, requestId: newId(), address, userAgent: 'vitest', actor: { kind: 'anonymous' } };
}

export function newEmail(): string {
  return `person-${newId().toLowerCase()}@example.com`;
}

/** A new account with its own team. */
export function newPerson(email = newEmail()): Promise<SignedIn> {
  return signUp({ ctx: outsider(), input: { email, password: PASSWORD } });
}

type Kind<K extends Actor['kind']> = Extract<Actor, { kind: K }>;

/** The actor of a credential, asserted to be of this kind. */
export async function actorOf<K extends Actor['kind']>(kind: K, credential: Credential): Promise<Kind<K>> {
  const actor = await resolveActor(credential);
  if (actor.kind !== kind) throw new Error(`Expected a ${kind}, got ${actor.kind}.`);
  return actor as Kind<K>;
}

/** The context of a signed-in user, from their access token. */
export async function asPerson({ accessToken }: { accessToken: string }): Promise<PersonContext> {
  const actor = await actorOf('user', { kind: 'bearer', token: accessToken });
  return { ...outsider(), actor, user: actor.user };
}

/** The context of a user in the team of their session. */
export async function inTeam(tokens: { accessToken: string }): Promise<TeamContext> {
  const { actor, user, ...context } = await asPerson(tokens);
  if (!actor.team || !actor.role) throw new Error('This person is in no team.');
  return { ...context, actor, user, team: { ...actor.team, role: actor.role } };
}

/** Adds a user to another team. */
export async function join(teamId: string, person: { user: { id: string } }, role: Role): Promise<void> {
  await db.membership.create({ data: { teamId, userId: person.user.id, role } });
}

/** The code of the error that a promise rejects with. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return 'it succeeded';
}

/**
 * Starts the works at once and holds a lock until all of them wait in the database. Each has then done its unlocked reads before any of them can
 * write.
 */
export async function raced<T>(lock: (tx: Tx) => Promise<unknown>, works: (() => Promise<T>)[]): Promise<T[]> {
  const running = await db.$transaction(async (tx) => {
    await lock(tx);
    const started = Promise.all(works.map((work) => work()));
    await vi.waitFor(
      async () => {
        // Not in the transaction, which would always see the same activity.
        const waiting = await db.$queryRaw<unknown[]>`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect(waiting).toHaveLength(works.length);
      },
      { timeout: 5_000 },
    );
    return { started };
  });
  return running.started;
}
