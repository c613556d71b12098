import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';

// The whole story through REST: two workers, a target that fails and recovers, and one worker that is killed in between.

let product: Product;
let second: ChildProcess;
let target: HttpReceiver;
let receiver: HttpReceiver;

beforeAll(async () => {
  [target, receiver] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  product = await startProduct({ env: { ALLOW_PRIVATE_TARGETS: 'true', RATE_LIMIT_PER_MINUTE: '0' } });
  second = spawn(process.execPath, ['.build/worker.mjs'], {
    env: { ...process.env, ...product.childEnv },
    stdio: 'ignore',
  });
});

afterAll(async () => {
  if (second?.exitCode === null && second.signalCode === null) {
    second.kill('SIGTERM');
    await once(second, 'exit');
  }
  await product?.stop();
  await Promise.all([target?.close(), receiver?.close()]);
});

interface Incident {
  id: string;
  monitorId: string;
  status: string;
  cause: string;
  startedAt: string;
  resolvedAt: string | null;
}

let token = '';

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(product.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

describe('main use case through REST', () => {
  it('notifies down once and up once, whichever worker survives', async () => {
    const account = { email: 'story@example.test', password: 'a long enough password' };
    token = (await call('POST', '/auth/signup', account)).accessToken;
    const { apiKey: _, secret: key } = await call('POST', '/dashboard/api-keys', {
      name: 'story',
      scopes: ['read', 'write'],
    });
    const { channel } = await call('POST', '/dashboard/notification-channels', {
      type: 'webhook',
      name: 'Receiver',
      config: { url: `${receiver.url}/hook` },
    });
    const secret: string = channel.config.secret;
    expect(secret).toMatch(/^whsec_/);
    token = key;

    const monitors: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      const { monitor } = await call('POST', '/api/v1/monitors', {
        type: 'http',
        name: `Target ${index}`,
        config: { url: `${target.url}/${index}`, confirm: { retryDelayMs: 300 } },
        intervalSeconds: 5,
      });
      monitors.push(monitor.id);
    }
    const all = (status: string) => async () =>
      (await call('GET', '/api/v1/monitors')).monitors.every(
        (monitor: { status: string }) => monitor.status === status,
      );
    await until(all('up'), 10_000, 'The first verdict');

    target.respond(() => ({ status: 503 }));
    const kill = once(second, 'exit');
    second.kill('SIGKILL');
    await kill;
    await until(all('down'), 45_000, 'Down');
    await receiver.waitFor(monitors.length, 20_000);

    target.respond(() => ({ status: 200 }));
    await until(all('up'), 30_000, 'Up again');
    await receiver.waitFor(2 * monitors.length, 20_000);
    // Duplicates would have arrived by now.
    await new Promise((resolve) => setTimeout(resolve, 3000));

    const { incidents } = (await call('GET', '/api/v1/incidents')) as { incidents: Incident[] };
    expect(incidents).toHaveLength(monitors.length);
    expect(new Set(incidents.map(({ monitorId }) => monitorId))).toEqual(new Set(monitors));
    for (const { status, cause, startedAt, resolvedAt } of incidents) {
      expect(status).toBe('resolved');
      expect(cause).toContain('503');
      expect(Date.parse(resolvedAt ?? '')).toBeGreaterThan(Date.parse(startedAt));
    }

    const verifier = new Webhook(secret);
    const events = receiver.requests.map(({ body, headers }) => {
      const event = verifier.verify(body, headers as Record<string, string>) as {
        type: string;
        data: { incident: Incident; monitor: Record<string, unknown> };
      };
      expect(event.data.monitor).not.toHaveProperty('config');
      return `${event.type} ${event.data.incident.id}`;
    });
    const expected = incidents.flatMap(({ id }) => [`incident.opened ${id}`, `incident.resolved ${id}`]);
    expect(events.sort()).toEqual(expected.sort());

    // A running worker updates its presence every ten seconds.
    const begun = async () => {
      const metrics = await (await fetch(`${product.url}/api/metrics`)).text();
      const counts = [...metrics.matchAll(/^upwatch_check_lateness_seconds_count\{.*\} (\d+)$/gm)];
      return counts.reduce((sum, [, count]) => sum + Number(count), 0) >= monitors.length;
    };
    await until(begun, 30_000, 'The lateness of checks in the metrics');

    for (const id of monitors) {
      const { checks } = await call('GET', `/api/v1/monitors/${id}/checks?limit=100`);
      const times = checks.map(({ at }: { at: string }) => at);
      expect(new Set(times).size).toBe(times.length);
      const { uptime } = await call('GET', `/api/v1/monitors/${id}/uptime?range=24h`);
      expect(uptime.downSeconds).toBeGreaterThan(0);
      expect(uptime.ratio).toBeLessThan(1);
      expect(uptime.ratio).toBeCloseTo(uptime.upSeconds / (uptime.upSeconds + uptime.downSeconds), 9);
    }
  });
});
