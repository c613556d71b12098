import { beforeAll, expect, it } from 'vitest';
import { storeEvidence } from '@/server/incidents/evidence/store-evidence';
import type { VerdictEvidence } from '@/server/incidents/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { longestShare } from '@/tests/support/longest-share';
import { call, type Person, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

const VERDICTS = 8;
const ATTEMPTS = 10;

let person: Person;
let incidentId: string;

/** The content of an attempt with as large a body and headers as are stored. */
function contentOf(minute: number) {
  const nothing = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, downloadMs: null };
  const headers = Array.from({ length: 30 }, (_, index) => ({ name: `x-${index}`, value: '€'.repeat(1_000) }));
  const attempt = {
    at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    region: 'default',
    status: 'down',
    error: 'The status code is 500',
    latencyMs: 1,
    statusCode: 500,
    timings: nothing,
    addresses: [],
    connections: [],
    certificate: null,
    exchanges: [
      {
        request: { line: 'GET / HTTP/1.1', headers: [] },
        response: { line: 'HTTP/1.1 500', headers },
        body: { text: '"€<\\'.repeat(4 * 1024), notStored: null, bytes: 16_384, isTruncated: false },
      },
    ],
    rules: [],
  };
  return Buffer.from(JSON.stringify({ attempt, lastGood: null }));
}

beforeAll(async () => {
  person = await signUp('Robin');
  const { incident } = await call(person, 'POST', '/api/v1/incidents', { title: 'Orders are late' });
  incidentId = incident.id;
  for (let verdict = 0; verdict < VERDICTS; verdict += 1) {
    const id = newId();
    const kind = verdict % 2 === 0 ? ('opened' as const) : ('resolved' as const);
    await db.incidentEvidence.create({ data: { id, incidentId, kind, at: new Date() } });
    await db.checkAttempt.createMany({
      data: Array.from({ length: ATTEMPTS }, (_, index) => ({
        id: newId(),
        monitorId: incidentId,
        row: '',
        at: new Date(Date.UTC(2026, 0, 1, 0, index)),
        status: 'down' as const,
        content: contentOf(index),
        evidenceId: id,
      })),
    });
  }
}, 60_000);

/** Reads the evidence, and verifies that it has all attempts, with what the first of each verdict saw. */
async function read() {
  const { evidence }: { evidence: VerdictEvidence[] } = await call(
    person,
    'GET',
    `/api/v1/incidents/${incidentId}/evidence`,
  );
  expect(evidence).toHaveLength(VERDICTS);
  for (const { attempts } of evidence) {
    expect(attempts.map(({ at }) => new Date(at).getUTCMinutes())).toEqual(
      Array.from({ length: ATTEMPTS }, (_, at) => at),
    );
    expect(attempts[0]?.exchanges).toHaveLength(1);
    expect(attempts.at(-1)?.exchanges).toEqual([]);
  }
  expect(JSON.stringify(evidence).length).toBeLessThan(1024 * 1024);
}

it('returns evidence of several megabytes without the exchanges of its last attempts', async () => {
  expect(await longestShare(read)).toBeLessThan(0.4);
  await runJob(storeEvidence, {});
  expect(await db.checkAttempt.count({ where: { monitorId: incidentId } })).toBe(0);
  await read();
}, 60_000);
