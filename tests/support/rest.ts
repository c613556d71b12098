import { handleRest } from '@/server/api/rest/handle';
import { db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape, and their assertions are the check.
  body: any;
  headers: Headers;
}

export interface Call {
  token?: string;
  body?: unknown;
  /** Sent verbatim, where `body` would be serialised as JSON. */
  raw?: BodyInit;
  headers?: Record<string, string>;
}

/** Sends one request through the REST bridge, as the route handlers do. */
export async function rest(
  method: string,
  path: string,
  { token, body, raw, headers = {} }: Call = {},
): Promise<Answer> {
  const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
  const request = new Request(`http://127.0.0.1:3000${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(sent !== null && { body: sent }),
  });
  const response = await handleRest(request);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
}

/** Sends requests with a token. */
export const as =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    rest(method, path, { token, body });

/**
 * Sends a request that must succeed with a person's token.
 * @returns the body of the answer
 */
export async function call(
  { token }: Pick<Person, 'token'>,
  method: string,
  path: string,
  requestBody?: unknown,
): Promise<Answer['body']> {
  const { status, body } = await as(token)(method, path, requestBody);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export interface Person {
  email: string;
  password: string;
  userId: string;
  teamId: string;
  token: string;
  refreshToken: string;
}

let people = 0;

/** Signs up a new user with their own team. */
export async function signUp(name = 'Robin'): Promise<Person> {
  people += 1;
  const email = `person-${process.pid}-${people}@example.test`;
  const password = 'correct horse battery';
  const { status, body } = await rest('POST', '/auth/signup', {
    body: { email, password, name },
    // Each from another network, to avoid the limit on sign-ups.
    headers: { 'x-upwatch-address': `10.${people >> 8}.${people & 255}.1` },
  });
  if (status !== 201) throw new Error(`Signing up answered ${status}: ${JSON.stringify(body)}`);
  const { user, teamId, accessToken: token, refreshToken } = body;
  return { email, password, userId: user.id, teamId, token, refreshToken };
}

/** A new user with an access token for another user's team. */
export async function join(team: Person, role: Role): Promise<Person> {
  const person = await signUp(role);
  await db.membership.create({ data: { teamId: team.teamId, userId: person.userId, role } });
  const { body } = await rest('POST', '/dashboard/me/team', { token: person.token, body: { teamId: team.teamId } });
  return { ...person, teamId: team.teamId, token: body.accessToken, refreshToken: body.refreshToken };
}

/** Creates an API key for a user's team. */
export async function makeKey(person: Person, scopes: string[] = ['read', 'write']): Promise<string> {
  const { status, body } = await rest('POST', '/dashboard/api-keys', {
    token: person.token,
    body: { name: 'script', scopes },
  });
  if (status !== 201) throw new Error(`Making a key answered ${status}: ${JSON.stringify(body)}`);
  return body.secret;
}

/** An http monitor's body, for tests that do not depend on its target. */
export function httpMonitor(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'http', name: 'Shop', config: { url: 'http://127.0.0.1:9/' }, intervalSeconds: 60, ...changes };
}
