import https from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkNow } from '@/server/checks/run/check-now';
import { claimDue } from '@/server/checks/schedule/claim';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { expiredCertificate, trustedCertificate } from '@/tests/support/certificates';
import { makeKey, rest, signUp } from '@/tests/support/rest';
import { makeMonitor, readState } from './monitors';
import { listening, type Target } from './targets';

const server = https.createServer(trustedCertificate, (_request, response) => void response.end('ok'));
let target: Target;
let teamId: string;
let token: string;

beforeAll(async () => {
  target = await listening(server);
  const person = await signUp();
  teamId = person.teamId;
  token = await makeKey(person);
  const channel = { type: 'email', name: 'Mail', config: { to: 'robin@example.test' } };
  const made = await rest('POST', '/dashboard/notification-channels', { token: person.token, body: channel });
  expect(made.status).toBe(201);
});

beforeEach(() => server.setSecureContext(trustedCertificate));

afterAll(() => target.close());

const make = (config: Record<string, unknown> = {}) =>
  makeMonitor(teamId, { url: `https://localhost:${target.port}/`, config });

const incidentsOf = ({ id }: Monitor) => db.incident.findMany({ where: { monitorId: id }, orderBy: { type: 'asc' } });
const eventsOf = async ({ id }: Monitor) => {
  const sent = await db.delivery.findMany({ where: { incident: { monitorId: id } }, orderBy: { createdAt: 'asc' } });
  return sent.map(({ event }) => event);
};

/** Sets the current certificate's first sighting to an hour ago. */
const settle = ({ id }: Monitor) => db.$executeRaw`
  update monitor_states set certificate = jsonb_set(certificate, '{since}', to_jsonb(now() - interval '1 hour'))
  where monitor_id = ${id}`;

describe('certificate of a monitor', () => {
  it('is stored for the monitor page', async () => {
    const monitor = await make();
    await checkNow(monitor);
    expect((await readState(monitor.id)).certificate).toMatchObject({
      subject: 'localhost',
      issuer: 'Upwatch test authority',
      validTo: '2119-01-01T00:00:00.000Z',
    });
    expect(await incidentsOf(monitor)).toEqual([]);
  });

  it('opens an incident before it expires, notifies once, and is resolved by its replacement', async () => {
    server.setSecureContext(expiredCertificate);
    const monitor = await make({ verifyTls: false });
    for (let round = 0; round < 3; round += 1) await checkNow(monitor);
    expect((await readState(monitor.id)).status).toBe('up');
    expect(await incidentsOf(monitor)).toMatchObject([
      {
        type: 'certificate',
        status: 'open',
        title: `The certificate of ${monitor.name} needs renewal`,
        cause: 'Certificate expired on 2021-06-01. Subject: localhost; issuer: Upwatch test authority',
      },
    ]);
    expect(await eventsOf(monitor)).toEqual(['monitor.certificate_expiring']);
    server.setSecureContext(trustedCertificate);
    await checkNow(monitor);
    expect(await incidentsOf(monitor)).toMatchObject([{ status: 'open' }]);
    await settle(monitor);
    await checkNow(monitor);
    expect(await incidentsOf(monitor)).toMatchObject([{ status: 'resolved', openKey: null }]);
    expect(await eventsOf(monitor)).toEqual(['monitor.certificate_expiring', 'incident.resolved']);
  });

  it('warns once where one of several servers has an expiring one, with the count', async () => {
    const monitor = await make({ verifyTls: false });
    await checkNow(monitor);
    await settle(monitor);
    for (let round = 0; round < 4; round += 1) {
      server.setSecureContext(expiredCertificate);
      await checkNow(monitor);
      await settle(monitor);
      server.setSecureContext(trustedCertificate);
      await checkNow(monitor);
      await settle(monitor);
    }
    const cause = expect.stringMatching(/\. Seen in 1 of the last \d+ checks$/);
    expect(await incidentsOf(monitor)).toMatchObject([{ type: 'certificate', status: 'open', cause }]);
    expect(await eventsOf(monitor)).toEqual(['monitor.certificate_expiring']);
    expect((await readState(monitor.id)).certificate).toMatchObject({
      mix: { recent: expect.stringMatching(/01010101?0$/) },
    });
  });

  it('causes a separate downtime if it is rejected', async () => {
    server.setSecureContext(expiredCertificate);
    const monitor = await make({ confirm: { failures: 1 } });
    expect(await checkNow(monitor)).toMatchObject({ status: 'down', error: 'Certificate expired' });
    expect((await incidentsOf(monitor)).map(({ type }) => type)).toEqual(['downtime', 'certificate']);
  });

  it('is not tracked if warnings are off', async () => {
    server.setSecureContext(expiredCertificate);
    const monitor = await make({ verifyTls: false, certificateWarnDays: 0 });
    await checkNow(monitor);
    expect(await incidentsOf(monitor)).toEqual([]);
  });

  it('opens one incident for concurrent results', async () => {
    server.setSecureContext(expiredCertificate);
    const monitor = await make({ verifyTls: false });
    await Promise.all(Array.from({ length: 6 }, () => checkNow(monitor)));
    expect(await incidentsOf(monitor)).toHaveLength(1);
  });

  it('is part of a claim', async () => {
    const monitor = await make();
    await checkNow(monitor);
    await db.$executeRaw`update monitor_states set due_at = now() where monitor_id = ${monitor.id}`;
    const claim = (await claimDue('worker', 'test', 1_000, 100)).claims.find(
      ({ monitorId }) => monitorId === monitor.id,
    );
    expect(claim?.state).toMatchObject({ certificate: { subject: 'localhost' }, certificateWarned: false });
  });

  it('warns again after a pause', async () => {
    server.setSecureContext(expiredCertificate);
    const monitor = await make({ verifyTls: false });
    await checkNow(monitor);
    const path = `/api/v1/monitors/${monitor.id}`;
    expect((await rest('PUT', path, { token, body: { isActive: false } })).status).toBe(200);
    expect(await incidentsOf(monitor)).toMatchObject([{ status: 'resolved' }]);
    await rest('PUT', path, { token, body: { isActive: true } });
    await checkNow(await db.monitor.findUniqueOrThrow({ where: { id: monitor.id } }));
    expect((await incidentsOf(monitor)).filter(({ status }) => status === 'open')).toHaveLength(1);
  });
});
