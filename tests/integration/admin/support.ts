import { evidenceKey } from '@/server/incidents/evidence/evidence-key';
import { db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';
import { newId } from '@/server/platform/ids';
import { sendMail } from '@/server/platform/mail';
import { storage } from '@/server/platform/storage';
import { type Answer, httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

/** Adds a user to another user's team. */
export async function join(person: Person, { teamId }: { teamId: string }, role: Role): Promise<void> {
  await db.membership.create({ data: { teamId, userId: person.userId, role } });
}

/** A user whose team has one of everything, including a logo and evidence in object storage and an API key. */
export async function personWithEverything(): Promise<
  Person & { key: string; pageId: string; logoKey: string; evidence: string }
> {
  const person = await signUp('Robin with everything');
  const { teamId, token } = person;
  const key = await makeKey(person);
  const headers = { 'idempotency-key': 'once' };
  const { body } = await rest('POST', '/dashboard/monitors', { token, body: httpMonitor(), headers });
  const monitorId: string = body.monitor.id;
  const { num } = await db.monitor.findUniqueOrThrow({ where: { id: monitorId } });
  await db.check.create({ data: { monitorNum: num, at: new Date(), region: 'default', status: 'up' } });
  const incident = { teamId, monitorId, type: 'manual' as const, status: 'open' as const, startedAt: new Date() };
  const { id: incidentId } = await db.incident.create({ data: { id: newId(), ...incident } });
  const evidenceId = newId();
  await db.incidentEvidence.create({
    data: { id: evidenceId, incidentId, kind: 'opened', at: new Date(), storedAt: new Date() },
  });
  const evidence = evidenceKey(teamId, { id: evidenceId, incidentId });
  await storage.put(evidence, Buffer.from('{}'), { contentType: 'application/json' });
  const content = Buffer.from('{}');
  const seen = { monitorId, row: '', at: new Date(), status: 'down' as const, content };
  await db.checkAttempt.create({ data: { id: newId(), evidenceId, ...seen } });
  const channel = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/hook' } };
  const made = await rest('POST', '/dashboard/notification-channels', { token, body: channel });
  const delivery = { event: 'incident.opened', eventKey: incidentId, payload: {} };
  await db.delivery.create({ data: { id: newId(), teamId, channelId: made.body.channel.id, incidentId, ...delivery } });
  const pageId = newId();
  const logoKey = `status-pages/${pageId}/logo`;
  await db.statusPage.create({
    data: { id: pageId, teamId, slug: `page-${pageId.toLowerCase()}`, title: 'Page', logoKey },
  });
  await db.statusPageMonitor.create({ data: { statusPageId: pageId, monitorId, position: 0 } });
  await storage.put(logoKey, new Uint8Array([1, 2, 3]), { contentType: 'image/png' });
  const window = { title: 'Work', startsAt: new Date(), endsAt: new Date(Date.now() + 60_000) };
  await db.maintenanceWindow.create({ data: { id: newId(), teamId, ...window, monitors: { create: { monitorId } } } });
  const tokenHash = newId();
  const expiresAt = new Date(Date.now() + 60_000);
  const invitation = { email: 'guest@example.test', role: 'member' as const, tokenHash, expiresAt };
  await db.invitation.create({ data: { id: newId(), teamId, createdById: person.userId, ...invitation } });
  await db.undeliveredMail.create({ data: { id: newId(), to: person.email, subject: 'Hello', text: 'Robin' } });
  await sendMail({ to: 'ops@example.test', subject: 'Shop is down', text: person.email, teamId });
  return { ...person, key, pageId, logoKey, evidence };
}

export function forceDelete(admin: Person, userId: string, reason: unknown = 'They asked for it.'): Promise<Answer> {
  return rest('POST', `/admin/users/${userId}/force-delete`, { token: admin.token, body: { reason } });
}

/** The audit entry of a force delete. */
export function entryOf(userId: string) {
  return db.auditEntry.findFirstOrThrow({ where: { action: 'user.force_delete', targetId: userId } });
}

export async function stepsOf(
  userId: string,
): Promise<Record<string, { status: string; attempts?: number; error?: string }>> {
  const { after } = await entryOf(userId);
  return (after as { steps: Record<string, { status: string; attempts?: number; error?: string }> }).steps;
}

/** The tables that contain a text anywhere, with the number of rows. */
export async function tablesWith(text: string): Promise<Record<string, number>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db.$queryRawUnsafe<{ count: number }[]>(
      `select count(*)::int as count from ${name} as t where strpos(t::text, $1) > 0`,
      text,
    );
    if (row && row.count > 0) found[name] = row.count;
  }
  return found;
}

/** Makes queued clean-up jobs due now. */
export async function runJobsNow(): Promise<void> {
  await db.$executeRaw`update graphile_worker._private_jobs set run_at = now()`;
}
