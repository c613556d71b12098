import { expect, it } from 'vitest';
import type { Finding } from '@/server/checks/finding';
import { recordResults } from '@/server/checks/record/record';
import { toPlan } from '@/server/checks/schedule/plan';
import { sealConfig } from '@/server/monitor-types/config/config-secrets';
import { newTrace } from '@/server/monitor-types/probing/trace';
import { HttpConfig } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { until } from '@/tests/support/receivers';
import { makeMonitor, makeTeam } from './monitors';

const SECRET = 'k-0123456789';

/** A failing check that echoes the secret, without evidence from the time of the check. */
function findingOf(monitorAt: Date): Finding {
  const trace = newTrace();
  trace.exchanges.push({
    line: 'GET / HTTP/1.1',
    headers: {},
    response: { line: 'HTTP/1.1 503 Service Unavailable', headers: ['server', 'shop'] },
    body: Buffer.from(`No database for ${SECRET}.`),
    isTruncated: false,
  });
  const timings = { dnsMs: null, connectMs: 1, tlsMs: null, firstByteMs: 2, downloadMs: 1 };
  return {
    at: monitorAt,
    verdict: { status: 'down', error: 'Expected status 200-299, got 503' },
    observation: {
      outcome: 'ok',
      error: null,
      statusCode: 503,
      evidence: null,
      latencyMs: 4,
      timings,
      family: 4,
      certificate: null,
      trace,
    },
  };
}

it('completes evidence that is first needed in the transaction of a verdict after it, with secrets masked', async () => {
  const url = 'http://shop.test/';
  const monitor = await makeMonitor(await makeTeam(), { url });
  const auth = { kind: 'bearer', token: SECRET };
  const config = HttpConfig.parse({ url, auth, saveResponseBody: true, confirm: { failures: 1 } });
  const sealed = sealConfig({ type: 'http', config }) as object;
  const row = await db.monitor.update({ where: { id: monitor.id }, data: { config: sealed } });
  const at = new Date();
  await recordResults(null, [{ plan: toPlan(row), finding: findingOf(at), region: 'test', takenAt: at, claim: null }]);
  const incident = await db.incident.findFirstOrThrow({ where: { monitorId: monitor.id } });
  const read = async () => {
    const attempts = await db.checkAttempt.findMany({ where: { evidence: { incidentId: incident.id } } });
    return attempts.map(({ content }) => JSON.parse(Buffer.from(content).toString()).attempt);
  };
  expect(await read()).toMatchObject([{ status: 'down', error: 'Expected status 200-299, got 503', statusCode: 503 }]);
  await until(async () => (await read())[0].exchanges.length > 0, 10_000, 'The exchanges of the check');
  expect(await read()).toMatchObject([
    {
      exchanges: [
        {
          request: { line: 'GET / HTTP/1.1' },
          response: { headers: [{ name: 'server', value: 'shop' }] },
          body: { text: 'No database for ••••.', notStored: null },
        },
      ],
    },
  ]);
});
