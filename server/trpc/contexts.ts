import type { db } from '@/server/platform/db';
import type { log } from '@/server/platform/log';
import type { Actor } from './actor';

/** The context of every verb: the request and its caller. */
export interface VerbContext {
  db: typeof db;
  log: typeof log;
  requestId: string;
  /** The caller's network address, as the web server saw it. */
  address: string;
  userAgent: string | null;
  actor: Actor;
}

type Known = Exclude<Actor, { kind: 'anonymous' }>;
type Person = Extract<Actor, { kind: 'user' }>;

/** The context of verbs for anyone, signed in or not. */
export interface GuestContext extends VerbContext {
  actor: Exclude<Actor, { kind: 'key' }>;
}

/** The context of verbs for signed-in users. */
export interface PersonContext extends VerbContext {
  actor: Person;
  user: Person['user'];
}

/** The context of verbs that act in a team. The procedure has enforced the role. */
export interface TeamContext extends VerbContext {
  actor: Known;
  user: Known['user'];
  team: NonNullable<Known['team']> & { role: NonNullable<Known['role']> };
}

/** The argument of a verb: the request with its caller, and the validated input. */
export interface Call<Input, Context extends VerbContext = TeamContext> {
  ctx: Context;
  input: Input;
}

/** The argument of a verb for one object of a team. */
export type OnOneObject = Call<{ id: string }>;
