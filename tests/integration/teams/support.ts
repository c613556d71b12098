import { encode } from 'next-auth/jwt';
import { logInToDashboard } from '@/server/account/log-in-to-dashboard';
import { db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';
import { sessionCookieSecret } from '@/server/trpc/keys';
import { SESSION_COOKIE } from '@/server/trpc/session';
import { outsider } from '@/tests/integration/auth/people';
import { type Answer, type Person, rest, signUp } from '@/tests/support/rest';

export const PASSWORD = 'correct horse battery';

/** A new member of `team` with a role, and an access token for it. */
export async function member(team: Person, role: Role): Promise<Person> {
  const person = await signUp(role);
  await db.membership.create({ data: { teamId: team.teamId, userId: person.userId, role } });
  return inTeam(person, team.teamId);
}

/** The same user with an access token for another of their teams. */
export async function inTeam(person: Person, teamId: string): Promise<Person> {
  const { body } = await rest('POST', '/dashboard/me/team', { token: person.token, body: { teamId } });
  return { ...person, teamId, token: body.accessToken, refreshToken: body.refreshToken };
}

/** The Cookie header of a user's browser session. */
export async function cookieOf({ email }: Person): Promise<string> {
  const ctx = outsider();
  const { id: sid, userId, sessionVersion: sv } = await logInToDashboard({ ctx, input: { email, password: PASSWORD } });
  return `${SESSION_COOKIE}=${await encode({ token: { sid, userId, sv }, secret: sessionCookieSecret() })}`;
}

let addresses = 0;

export function newEmail(): string {
  addresses += 1;
  return `Invited-${process.pid}-${addresses}@Example.test`;
}

export function invite(by: Person, email = newEmail(), role: string = 'member'): Promise<Answer> {
  return rest('POST', '/dashboard/team/invitations', { token: by.token, body: { email, role } });
}

/** The token of a new invitation. */
export async function tokenOf(by: Person, role = 'member'): Promise<string> {
  const { status, body } = await invite(by, newEmail(), role);
  if (status !== 201) throw new Error(`Inviting answered ${status}: ${JSON.stringify(body)}`);
  return body.invitation.token;
}

/** Accepts as a new user with these details. */
export function acceptAsNew(token: string, body: Record<string, unknown> = {}): Promise<Answer> {
  const account = { email: newEmail(), password: PASSWORD, name: 'Kim' };
  return rest('POST', `/auth/invite/${token}/accept`, { body: { ...account, ...body } });
}

/** Accepts with an access token. */
export function acceptAs({ token: bearer }: Person, token: string): Promise<Answer> {
  return rest('POST', `/auth/invite/${token}/accept`, { token: bearer });
}

/** An answer in short: "400 ALREADY_MEMBER", or "200 done". */
export function codeIn({ status, body }: Answer): string {
  return `${status} ${body?.error?.code ?? 'done'}`;
}

/** The audit log of a team, oldest first: actions and targets. */
export async function auditOf(teamId: string): Promise<string[]> {
  const entries = await db.auditEntry.findMany({ where: { teamId }, orderBy: { id: 'asc' } });
  return entries.map(({ action, targetName }) => `${action} ${targetName}`);
}
