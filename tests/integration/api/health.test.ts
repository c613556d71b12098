import { NextRequest } from 'next/server';
import { expect, it, vi } from 'vitest';
import { handleApi } from '@/server/api/handle';
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

const ask = (method: string, path: string) => handleApi(new NextRequest(`http://127.0.0.1${path}`, { method }));

it('answers other methods with the error envelope and the allowed methods', async () => {
  expect((await ask('GET', '/api/health')).status).toBe(200);
  for (const [path, allow] of [
    ['/api/health', 'GET, HEAD'],
    ['/api/on-call/nothing.ics', 'GET, HEAD'],
    ['/api/unsubscribe/nothing', 'GET, HEAD, POST'],
  ] as const) {
    const answer = await ask('DELETE', path);
    expect([answer.status, answer.headers.get('allow')], path).toEqual([405, allow]);
    expect(await answer.json()).toEqual({
      error: { code: 'METHOD_NOT_ALLOWED', status: 405, message: `This URL accepts ${allow}.` },
    });
  }
});

it.each(['/api', '/api/health/nothing', '/api/on-call/one/two', '/api/stripe/nothing', '/api/toString'])(
  'has nothing at %s',
  async (path) => {
    const answer = await ask('GET', path);
    expect([answer.status, (await answer.json()).error.code]).toEqual([404, 'NOT_FOUND']);
  },
);
