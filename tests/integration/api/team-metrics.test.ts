import '@/tests/support/default-limits';
import { describe, expect, it } from 'vitest';
import { handleRest } from '@/server/api/rest/handle';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { ownState } from '@/tests/support/own-state';
import { httpMonitor, makeKey, rest, signUp } from '@/tests/support/rest';

const PATH = '/api/v1/metrics';

async function scrape(token?: string, method = 'GET', query = '') {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const response = await handleRest(new Request(`http://127.0.0.1${PATH}${query}`, { method, headers }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('GET /api/v1/metrics', () => {
  it('returns the status and latency of each monitor of the own team, and of no other', async () => {
    const [own, other] = [await signUp(), await signUp()];
    const create = async (token: string, name: string): Promise<string> =>
      (await rest('POST', '/dashboard/monitors', { token, body: httpMonitor({ name }) })).body.monitor.id;
    const id = await create(own.token, 'Shop "1"\\2');
    const idle = await create(own.token, 'Idle');
    const theirs = await create(other.token, 'Theirs');
    const at = new Date('2026-11-01T00:00:00.500Z');
    await db.monitorState.update({
      where: ownState(id),
      data: { status: 'degraded', statusSince: at, lastCheckedAt: at, lastLatencyMs: 250 },
    });
    await rest('POST', '/api/v1/incidents', { token: own.token, body: { title: 'Slow' } });
    const { status, headers, text } = await scrape(await makeKey(own, ['read']));
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(headers.get('ratelimit-limit')).toBe('600');
    expect(headers.get('cache-control')).toBe('no-store');
    const labels = `monitor="${id}",name="Shop \\"1\\"\\\\2",type="http"`;
    const lines = text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `upwatch_monitor_up{${labels}} 1`,
        `upwatch_monitor_status{${labels},status="degraded"} 1`,
        `upwatch_monitor_status_since_seconds{${labels}} 1793491200.5`,
        `upwatch_monitor_last_check_seconds{${labels}} 1793491200.5`,
        `upwatch_monitor_latency_seconds{${labels}} 0.25`,
        'upwatch_team_monitors{status="degraded"} 1',
        'upwatch_team_monitors{status="pending"} 1',
        'upwatch_team_monitors{status="down"} 0',
        'upwatch_team_incidents_open{type="manual"} 1',
        'upwatch_team_incidents_open{type="downtime"} 0',
      ]),
    );
    expect(lines.filter((line) => line.includes(idle)).map((line) => line.split('{')[0])).toEqual([
      'upwatch_monitor_status',
      'upwatch_monitor_status_since_seconds',
    ]);
    expect(text).not.toContain(theirs);
  });

  it('returns all of many monitors once, the lines of each metric together', async () => {
    const own = await signUp();
    const monitors = Array.from({ length: 600 }, (_, index) => ({
      id: newId(),
      teamId: own.teamId,
      type: 'http' as const,
      name: `Monitor ${index}`,
      config: { url: 'http://127.0.0.1:9/' },
      intervalSeconds: 60,
    }));
    await db.monitor.createMany({ data: monitors });
    await db.monitorState.createMany({
      data: monitors.map(({ id }) => ({ monitorId: id, teamId: own.teamId, status: 'up' as const })),
    });
    const { text } = await scrape(own.token);
    const samples = text.split('\n').filter((line) => line.startsWith('upwatch_monitor_'));
    const named = (name: string) => samples.flatMap((line) => (line.startsWith(`${name}{`) ? [line.slice(-1)] : []));
    expect(new Set(samples).size).toBe(samples.length);
    expect(named('upwatch_monitor_up')).toEqual(Array(600).fill('1'));
    expect(named('upwatch_monitor_status')).toHaveLength(600);
    const order = samples.map((line) => line.split('{')[0]);
    expect(order.filter((name, index) => name !== order[index - 1])).toEqual([...new Set(order)]);
    expect(text).toContain('upwatch_team_monitors{status="up"} 600');
  });

  it('accepts an access token as well, and HEAD', async () => {
    const { token } = await signUp();
    expect((await scrape(token)).status).toBe(200);
    expect(await scrape(token, 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it('rejects callers without a credential, other methods and query parameters in the error envelope', async () => {
    const { token } = await signUp();
    const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).error.code];
    expect(codeOf(await scrape())).toEqual([401, 'UNAUTHENTICATED']);
    expect(codeOf(await scrape('uw_nothing'))).toEqual([401, 'UNAUTHENTICATED']);
    expect(codeOf(await scrape(token, 'POST'))).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(codeOf(await scrape(token, 'GET', '?team=other'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('rejects a key without the scope to read', async () => {
    const { status, text } = await scrape(await makeKey(await signUp(), ['write']));
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });
});
