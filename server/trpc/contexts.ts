import type { db } from '@/server/platform/db';
import type { log } from '@/server/platform/log';
import type { Actor } from './resolve-actor';

/** What every verb is given: the request it serves and the caller behind it. */
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

/** The context of verbs for anyone, who may be signed in. */
export interface GuestContext extends VerbContext {
  actor: Exclude<Actor, { kind: 'key' }>;
}

/** The context of verbs only a signed-in person may call. */
export interface PersonContext extends VerbContext {
  actor: Person;
  user: Person['user'];
}

/** The context of verbs that act in a team. Its role has been held against what the procedure declares. */
export interface TeamContext extends VerbContext {
  actor: Known;
  user: Known['user'];
  team: NonNullable<Known['team']> & { role: NonNullable<Known['role']> };
}

/** What a verb about one object of a team takes. */
export interface OnOneObject {
  ctx: TeamContext;
  input: { id: string };
}
