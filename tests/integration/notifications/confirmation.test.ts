import '@/tests/support/default-limits';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { keepTestsInOneDay } from '@/tests/support/one-day';
import { startSmtpReceiver } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';

const smtp = await startSmtpReceiver();
// Set before any server code reads its settings.
Object.assign(process.env, { SMTP_URL: smtp.url, AUTH_RATE_LIMIT_PER_MINUTE: '0', APP_URL: 'https://up.example.test' });

const { newConfirmationToken } = await import('@/server/notifications/confirmations/confirmation-link');
const { sendConfirmation } = await import('@/server/notifications/confirmations/send-confirmation');
const { seal } = await import('@/server/platform/crypto');
const { db } = await import('@/server/platform/db');
const { newId } = await import('@/server/platform/ids');
const { as, rest, signUp } = await import('@/tests/support/rest');
const { deliver } = await import('./support');
type Person = Awaited<ReturnType<typeof signUp>>;

afterAll(() => smtp.close());

const channels = '/dashboard/notification-channels';

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `On-Call-${addresses}@example.test`;
}

async function createEmail(person: Person, to: string) {
  const { status, body } = await as(person.token)('POST', channels, { type: 'email', name: 'Mail', config: { to } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.channel as { id: string; confirmation: string };
}

const stateOf = async (person: Person, id: string) =>
  (await as(person.token)('GET', `${channels}/${id}`)).body.channel.confirmation;

/** Opens an incident manually, and makes one attempt at each resulting message. */
async function alert(person: Person): Promise<string[]> {
  await db.team.update({ where: { id: person.teamId }, data: { groupSeconds: 0 } });
  const { body } = await as(person.token)('POST', '/api/v1/incidents', { title: 'The shop is down' });
  const rows = await db.delivery.findMany({ where: { incidentId: body.incident.id } });
  await deliver(rows.map(({ channelId }) => channelId));
  return rows.map(({ id }) => id);
}

/** Runs the queued confirmation mails, and returns their links. */
async function confirmationLinks(address: string): Promise<string[]> {
  const jobs = await db.$queryRaw<{ payload: { address: string } }[]>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'send-confirmation' and j.payload->>'address' = ${address.toLowerCase()}
    returning j.payload`;
  const before = smtp.mails.length;
  for (const { payload } of jobs) await runJob(sendConfirmation, payload);
  await smtp.waitFor(before + jobs.length);
  return smtp.mails
    .slice(before)
    .map(({ parts }) => /https:\S+\/confirm-channel\/\S+/.exec(parts[0]?.content ?? '')?.[0] ?? '');
}

const tokenIn = (link: string) => link.split('/').at(-1) ?? '';
const look = (token: string) => rest('GET', `/auth/channel-confirmation/${token}`);
const confirm = (token: string) => rest('POST', `/auth/channel-confirmation/${token}`);
const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));

keepTestsInOneDay();

describe('email channel to an address outside the team', () => {
  it('is created, sends nothing until the address confirms, and then sends pending deliveries', async () => {
    const person = await signUp();
    const to = newAddress();
    const channel = await createEmail(person, to);
    expect(channel.confirmation).toBe('pending');
    const [delivery = ''] = await alert(person);
    const waiting = await db.delivery.findUniqueOrThrow({ where: { id: delivery }, include: { attempts: true } });
    expect(waiting.status).toBe('pending');
    expect(waiting.attempts[0]?.error).toBe('The recipient has not confirmed this address yet');
    expect(mailsTo(to)).toEqual([]);

    const [link = ''] = await confirmationLinks(to);
    expect(link).toContain('https://up.example.test/confirm-channel/');
    await db.$executeRaw`update deliveries set next_attempt_at = now() + interval '1 hour' where id = ${delivery}`;
    // Mail scanners open the link like this.
    const shown = await look(tokenIn(link));
    expect(shown.body).toEqual({
      confirmation: { teamName: "Robin's team", address: to.toLowerCase(), isConfirmed: false },
    });
    expect(await stateOf(person, channel.id)).toBe('pending');

    expect((await confirm(tokenIn(link))).body.confirmation.isConfirmed).toBe(true);
    expect(await stateOf(person, channel.id)).toBe('confirmed');
    await deliver(channel.id);
    expect((await db.delivery.findUniqueOrThrow({ where: { id: delivery } })).status).toBe('delivered');
    expect(mailsTo(to)).toHaveLength(1);
  });

  it('explains why a test is not sent', async () => {
    const person = await signUp();
    const to = newAddress();
    const { id } = await createEmail(person, to);
    const { status, body } = await as(person.token)('POST', `${channels}/${id}/test`);
    expect([status, body.delivery.status]).toEqual([200, 'failed']);
    expect(body.delivery.attempts[0].error).toContain('has not confirmed');
    expect(mailsTo(to)).toEqual([]);
  });

  it('is confirmed for one team alone, and for all of its channels', async () => {
    const [first, second] = [await signUp(), await signUp()];
    const to = newAddress();
    const ids = [
      await createEmail(first, to),
      await createEmail(first, to.toUpperCase()),
      await createEmail(second, to),
    ];
    const [link = ''] = await confirmationLinks(to);
    await confirm(tokenIn(link));
    const states = [await stateOf(first, ids[0]?.id ?? ''), await stateOf(first, ids[1]?.id ?? '')];
    expect([...states, await stateOf(second, ids[2]?.id ?? '')]).toEqual(['confirmed', 'confirmed', 'pending']);
  });

  it('asks for confirmation again if its address changes, but not if it is restored', async () => {
    const person = await signUp();
    const [to, other] = [newAddress(), newAddress()];
    const { id } = await createEmail(person, to);
    const [link = ''] = await confirmationLinks(to);
    await confirm(tokenIn(link));
    const change = (address: string) => as(person.token)('PUT', `${channels}/${id}`, { config: { to: address } });
    expect((await change(other)).body.channel.confirmation).toBe('pending');
    expect(await confirmationLinks(other)).toHaveLength(1);
    expect((await change(to)).body.channel.confirmation).toBe('confirmed');
    expect(await confirmationLinks(to)).toHaveLength(0);
  });
});

describe('confirmation link', () => {
  it('is idempotent, and is written into the audit log once', async () => {
    const person = await signUp();
    const to = newAddress();
    const { id } = await createEmail(person, to);
    const [link = ''] = await confirmationLinks(to);
    const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(tokenIn(link))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const entries = await db.auditEntry.findMany({ where: { teamId: person.teamId, action: 'channel.confirm' } });
    expect(entries).toMatchObject([{ targetId: id, actorKind: 'anonymous', after: { address: to.toLowerCase() } }]);
  });

  it('is valid from every message that was sent', async () => {
    const person = await signUp();
    const to = newAddress();
    const { id } = await createEmail(person, to);
    expect((await as(person.token)('POST', `${channels}/${id}/resend-confirmation`)).body.channel.confirmation).toBe(
      'pending',
    );
    const links = await confirmationLinks(to);
    expect(links).toHaveLength(2);
    expect((await confirm(tokenIn(links[0] ?? ''))).status).toBe(200);
    expect((await look(tokenIn(links[1] ?? ''))).body.confirmation.isConfirmed).toBe(true);
    // The address is confirmed, so no other mail is sent.
    await as(person.token)('POST', `${channels}/${id}/resend-confirmation`);
    expect(await confirmationLinks(to)).toEqual([]);
  });

  it('returns NOT_FOUND if forged, expired, sealed for something else, or not needed by any channel', async () => {
    const person = await signUp();
    const to = newAddress();
    const { id } = await createEmail(person, to);
    const [link = ''] = await confirmationLinks(to);
    const recipient = { teamId: person.teamId, address: to.toLowerCase() };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 8 * 24 * 3600 * 1000 });
    const expired = newConfirmationToken(recipient);
    vi.useRealTimers();
    const foreign = seal(JSON.stringify({ ...recipient, purpose: 'other', expiresAt: Date.now() + 1e6 }));
    for (const token of ['nothing', expired, foreign, `${tokenIn(link)}x`]) {
      expect([(await look(token)).status, (await confirm(token)).status]).toEqual([404, 404]);
    }
    await as(person.token)('DELETE', `${channels}/${id}`);
    expect([(await look(tokenIn(link))).status, (await confirm(tokenIn(link))).status]).toEqual([404, 404]);
    expect(await db.confirmedRecipient.count({ where: { teamId: person.teamId } })).toBe(0);
  });

  it('is not sent for channels of other types', async () => {
    const person = await signUp();
    const hook = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/' } };
    const { body } = await as(person.token)('POST', channels, hook);
    expect(body.channel).not.toHaveProperty('confirmation');
    const refused = await as(person.token)('POST', `${channels}/${body.channel.id}/resend-confirmation`);
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await as(person.token)('POST', `${channels}/${newId()}/resend-confirmation`)).status).toBe(404);
  });
});

describe('email channel to a member of the team', () => {
  it('sends at once without confirmation, until the member leaves', async () => {
    const [owner, colleague] = [await signUp(), await signUp()];
    await db.membership.create({ data: { teamId: owner.teamId, userId: colleague.userId, role: 'member' } });
    const channel = await createEmail(owner, colleague.email.toUpperCase());
    expect(channel.confirmation).toBe('member');
    expect(await confirmationLinks(colleague.email)).toEqual([]);
    const [delivery = ''] = await alert(owner);
    expect((await db.delivery.findUniqueOrThrow({ where: { id: delivery } })).status).toBe('delivered');
    await as(owner.token)('DELETE', `/dashboard/team/members/${colleague.userId}`);
    expect(await stateOf(owner, channel.id)).toBe('pending');
  });

  it('sends a limited number of alerts a day, and the others once the address confirms', async () => {
    const owner = await signUp();
    const { id } = await createEmail(owner, owner.email);
    await alert(owner);
    await db.mailQuota.updateMany({ where: { key: { startsWith: 'alerts:' } }, data: { sent: 200 } });
    const [delivery = ''] = await alert(owner);
    const waiting = await db.delivery.findUniqueOrThrow({ where: { id: delivery }, include: { attempts: true } });
    expect([waiting.status, waiting.attempts[0]?.error]).toEqual([
      'pending',
      'The recipient has not confirmed this address; the daily limit for unconfirmed addresses is reached',
    ]);
    await as(owner.token)('POST', `${channels}/${id}/resend-confirmation`);
    const [link = ''] = await confirmationLinks(owner.email);
    await confirm(tokenIn(link));
    await deliver(id);
    expect((await db.delivery.findUniqueOrThrow({ where: { id: delivery } })).status).toBe('delivered');
  });

  it('counts no alert that the mail server rejected', async () => {
    const owner = await signUp();
    await createEmail(owner, owner.email);
    await alert(owner);
    const sent = () => db.mailQuota.aggregate({ where: { key: { startsWith: 'alerts:' } }, _sum: { sent: true } });
    const before = await sent();
    smtp.refuse(451);
    await alert(owner);
    smtp.refuse(null);
    expect(await sent()).toEqual(before);
  });
});

it('rejects more test mails to an address than allowed in a day', async () => {
  const owner = await signUp();
  const { id } = await createEmail(owner, owner.email);
  const statuses: number[] = [];
  for (let sent = 0; sent < 12; sent += 1)
    statuses.push((await as(owner.token)('POST', `${channels}/${id}/test`)).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
});
