import https from 'node:https';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkNow } from '@/server/checks/run/check-now';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import type { Monitor } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { until } from '@/tests/support/receivers';
import { type CertificateText, writeCertificate } from '@/tests/support/x509';
import { makeDue, makeMonitor, makeMonitors, makeTeam, readRegion, readState } from './monitors';
import { httpTarget, listening, type Target } from './targets';

const POISONS: [string, CertificateText][] = [
  ['a date in month 13', { notAfter: '20331301000000Z' }],
  ['no date at all', { notBefore: '', notAfter: '' }],
  ['a date in the year 50', { notAfter: '00500101000000Z' }],
  ['a NUL in its name', { name: ['shop\u0000.example.test'] }],
  ['terminal escapes in its name', { name: ['\u001b[2J\u001b]0;owned\u0007\u202eshop\r\nexample'] }],
  ['a name of 10,000 characters', { name: ['x'.repeat(10_000)] }],
  ['1,000 names', { name: Array<string>(1_000).fill('shop') }],
  ['alternative names with quotes', { alternatives: ['a"b,\u0000c', Buffer.from([0xff, 0x22]), "'\\"] }],
];

const open: Target[] = [];
const running: Scheduler[] = [];
let teamId: string;
let status = 200;
let plain: Target;
let plainStatus = 200;

beforeAll(async () => {
  plain = await httpTarget((_request, response) => void response.writeHead(plainStatus).end());
});

beforeEach(async () => {
  status = 200;
  plainStatus = 200;
  teamId = await makeTeam();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop(500)));
  await Promise.all(open.splice(0).map((each) => each.close()));
  await db.team.deleteMany();
});

afterAll(async () => {
  await stopListening();
  await plain.close();
});

/** The address of a server with this certificate. */
async function poisoned(text: CertificateText): Promise<string> {
  const server = https.createServer(
    writeCertificate(text),
    (_request, response) => void response.writeHead(status).end(),
  );
  const target = await listening(server);
  open.push(target);
  return `https://localhost:${target.port}/`;
}

function start(): void {
  const scheduler = new Scheduler({ worker: newId(), region: 'test', concurrency: 50 });
  running.push(scheduler);
  scheduler.start();
}

const becomes = ({ id }: Monitor, wanted: string, withinMs = 5_000) =>
  until(async () => (await readState(id)).status === wanted, withinMs, `The monitor being ${wanted}`);

const unconfirmed = { verifyTls: false, confirm: { failures: 1 } };

describe('certificate with', () => {
  it.each(POISONS)('%s does not prevent the outage of its server from being recorded', async (_name, text) => {
    const monitor = await makeMonitor(teamId, { url: await poisoned(text), config: unconfirmed });
    start();
    await becomes(monitor, 'up');
    status = 500;
    await makeDue(monitor.id);
    await becomes(monitor, 'down');
    expect((await readState(monitor.id)).lastError).toBe('Expected status 200-299, got 500');
  });

  it.each(POISONS)('%s is rejected with a cause of printable characters', async (_name, text) => {
    const monitor = await makeMonitor(teamId, { url: await poisoned(text), config: { confirm: { failures: 1 } } });
    const check = await checkNow(monitor);
    expect(check.status).toBe('down');
    expect(check.error).toMatch(/^Certificate [\p{L}\p{N}\p{P} ]{1,400}$/u);
    expect((await readState(monitor.id)).lastError).toBe(check.error);
  });

  it('%s is stored without unprintable characters', async () => {
    const url = await poisoned({ name: ['\u001b[2Jshop\u0000\u202e\r\n.example'] });
    const monitor = await makeMonitor(teamId, { url, config: unconfirmed });
    await checkNow(monitor);
    const { certificate } = await readState(monitor.id);
    expect(certificate).toMatchObject({ subject: 'shop .example', issuer: 'shop .example' });
  });
});

it('records other monitors at once beside 20 invalid results', async () => {
  const urls = await Promise.all(Array.from({ length: 20 }, (_, index) => poisoned(POISONS[index % 4]?.[1] ?? {})));
  const poisonous = await makeMonitors(
    teamId,
    urls.map((url) => ({ url, config: unconfirmed, intervalSeconds: 5 })),
  );
  const healthy = await makeMonitors(
    await makeTeam(),
    Array.from({ length: 30 }, (_, index) => ({
      url: `http://127.0.0.1:${plain.port}/${index}`,
      config: { confirm: { failures: 1 } },
    })),
  );
  start();
  for (const monitor of [...poisonous, ...healthy]) await becomes(monitor, 'up', 10_000);
  status = 500;
  plainStatus = 503;
  const from = Date.now();
  await Promise.all([...poisonous, ...healthy].map(({ id }) => makeDue(id)));
  for (const monitor of [...healthy, ...poisonous]) await becomes(monitor, 'down', 10_000);
  // The next poll of the schedule may be 1.5 s away.
  expect(Date.now() - from).toBeLessThan(6_000);
});

it("counts a region's check of an invalid certificate", async () => {
  const url = await poisoned({ notAfter: '20331301000000Z', name: ['a\u0000b'] });
  const monitor = await makeMonitor(teamId, { url, config: unconfirmed, regions: ['test'] });
  start();
  await until(async () => (await readRegion(monitor.id, 'test')).status === 'up', 5_000, 'The region being up');
});
