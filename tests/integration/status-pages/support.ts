import { db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';
import { httpMonitor, type Person, rest } from '@/tests/support/rest';

const PAGES = '/dashboard/status-pages';

/** Sends a request about status pages as a user. */
export function pages(person: Person | null, method: string, path = '', body?: unknown) {
  return rest(method, `${PAGES}${path}`, {
    ...(person && { token: person.token }),
    ...(body !== undefined && { body }),
  });
}

let slugs = 0;

/** An unused slug in this test file's database. */
export function newSlug(): string {
  slugs += 1;
  return `page-${slugs}`;
}

/** Creates a status page and returns it. */
export async function makePage(person: Person, changes: Record<string, unknown> = {}) {
  const { status, body } = await pages(person, 'POST', '', { slug: newSlug(), title: 'Northwind', ...changes });
  if (status !== 201) throw new Error(`Making a page answered ${status}: ${JSON.stringify(body)}`);
  return body.statusPage;
}

/** Creates a monitor of the user's team and returns its ID. */
export async function makeMonitor(person: Person, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await rest('POST', '/dashboard/monitors', {
    token: person.token,
    body: httpMonitor(changes),
  });
  if (status !== 201) throw new Error(`Making a monitor answered ${status}: ${JSON.stringify(body)}`);
  return body.monitor.id;
}

/** Changes a user's role in their own team. */
export async function setRole({ teamId, userId }: Person, role: Role): Promise<void> {
  await db.membership.update({ where: { teamId_userId: { teamId, userId } }, data: { role } });
}

/** One red pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
