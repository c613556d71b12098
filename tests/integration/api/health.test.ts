import { expect, it, vi } from 'vitest';
import { health, refuseMethod } from '@/server/api/health';
import { metrics } from '@/server/api/metrics';

vi.hoisted(() => {
  process.env.METRICS_TOKEN = 'a-token-of-metrics';
});

const scrape = (headers: Record<string, string>) => metrics(new Request('http://127.0.0.1/api/metrics', { headers }));

it('requires the token for metrics, from any address', async () => {
  expect((await scrape({ authorization: 'Bearer a-token-of-metrics' })).status).toBe(200);
  for (const authorization of ['Bearer a-token-of-metric', 'Bearer ', 'a-token-of-metrics']) {
    expect((await scrape({ authorization, 'x-upwatch-address': '127.0.0.1' })).status).toBe(403);
  }
  expect((await scrape({ 'x-upwatch-address': '127.0.0.1' })).status).toBe(403);
});

it('answers other methods with the error envelope and the allowed methods', async () => {
  expect(health().status).toBe(200);
  const answer = refuseMethod();
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await answer.json()).toEqual({
    error: { code: 'METHOD_NOT_ALLOWED', status: 405, message: expect.any(String) },
  });
});
