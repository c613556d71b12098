import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AgentClient, type Refused } from '@/server/agent/client';
import { ServerSource } from '@/server/agent/source';
import { createAgentToken } from '@/server/agents/create-agent-token';
import { deleteAgentToken } from '@/server/agents/delete-agent-token';
import { AGENT_LEASE_MS, MOST_AGENT_CLAIMS } from '@/server/agents/protocol';
import { handleAgent } from '@/server/api/agent';
import { checkNow } from '@/server/checks/run/check-now';
import { Clock } from '@/server/checks/schedule/clock';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { log } from '@/server/platform/log';
import type { TeamContext } from '@/server/trpc/contexts';
import { until } from '@/tests/support/receivers';
import { makeMonitor, makeMonitors, makeRegionDue, makeTeam, readRegion, readState } from './monitors';
import { httpTarget, type Target } from './targets';

let target: Target;
let teamId: string;
let userId: string;
let status = 200;
/** The target answers once it resolves. */
let answering: Promise<void> = Promise.resolve();
let requests: string[] = [];
const running = new Set<Scheduler>();
/** What the server gets in place of a request: set to cut an agent off. */
let network: (request: Request) => Promise<Response> = handleAgent;

beforeAll(async () => {
  target = await httpTarget(async (request, response) => {
    requests.push(`${request.url} ${request.headers['x-key'] ?? ''}`);
    const answer = status;
    await answering;
    response.writeHead(answer).end();
  });
});

beforeEach(async () => {
  teamId = await makeTeam();
  const user = await db.user.create({ data: { id: newId(), email: `${newId()}@example.com`, passwordHash: 'x' } });
  userId = user.id;
  status = 200;
  answering = Promise.resolve();
  requests = [];
  network = handleAgent;
});

afterEach(async () => {
  network = handleAgent;
  await Promise.all([...running].map((each) => each.stop(500)));
  running.clear();
  await db.team.deleteMany();
  await db.user.deleteMany();
});

afterAll(async () => {
  await stopListening();
  await target.close();
});

function contextOf(team = teamId): TeamContext {
  const actor = { kind: 'user', user: { id: userId, email: 'a@example.com', name: null, isAdmin: false } };
  const context = {
    db,
    log,
    requestId: 'test',
    address: '127.0.0.1',
    userAgent: null,
    actor,
    user: actor.user,
    team: { id: team, name: 'Team', plan: 'self_hosted', role: 'owner' },
  };
  return context as unknown as TeamContext;
}

const makeToken = (region = 'office', team = teamId) =>
  createAgentToken({ ctx: contextOf(team), input: { name: region, region } });

interface Started {
  scheduler: Scheduler;
  source: ServerSource;
  refused: Promise<Refused>;
}

async function startAgent(secret: string): Promise<Started> {
  const clock = new Clock(2_000);
  const client = new AgentClient('http://127.0.0.1:3000', secret, (request) => network(request));
  let onRefused: (reason: Refused) => void = () => undefined;
  const refused = new Promise<Refused>((resolve) => {
    onRefused = resolve;
  });
  const source = new ServerSource(client, { name: 'test', region: null, clock, onRefused });
  await source.start();
  const options = {
    worker: '',
    region: source.region,
    concurrency: 20,
    mostHeld: MOST_AGENT_CLAIMS,
    leaseMs: AGENT_LEASE_MS,
  };
  const scheduler = new Scheduler({ ...options, clock }, source);
  running.add(scheduler);
  scheduler.start();
  return { scheduler, source, refused };
}

function startWorker(region: string): void {
  const scheduler = new Scheduler({ worker: newId(), region, concurrency: 20 });
  running.add(scheduler);
  scheduler.start();
}

const kinds = {
  worker: { region: 'eu', start: async () => startWorker('eu') },
  agent: {
    region: 'private/office',
    start: async () => {
      const { secret } = await makeToken();
      startWorker('somewhere-else');
      await startAgent(secret);
    },
  },
};

const make = (region: string, path = '/', config: Record<string, unknown> = {}) =>
  makeMonitor(teamId, {
    url: `http://127.0.0.1:${target.port}${path}`,
    config: { confirm: { failures: 2, recoveries: 1, retryDelayMs: 100 }, ...config },
    regions: [region],
  });
const becomes = (id: string, wanted: string, ms = 15_000) =>
  until(async () => (await readState(id)).status === wanted, ms, `The monitor being ${wanted}`);

describe.each(Object.entries(kinds))('a %s', { timeout: 60_000 }, (_kind, { region, start }) => {
  it('checks the monitors of its region, with their secrets', async () => {
    const monitor = await make(region, '/secret', { headers: { 'x-key': 'swordfish' } });
    await start();
    await becomes(monitor.id, 'up');
    const [check] = await db.check.findMany({ where: { monitorNum: monitor.num } });
    expect(check).toMatchObject({ region, status: 'up', statusCode: 200 });
    expect(requests[0]).toBe('/secret swordfish');
  });

  it('opens one incident when the target fails and resolves it when it recovers, with evidence', async () => {
    const monitor = await make(region);
    await start();
    await becomes(monitor.id, 'up');
    status = 503;
    await makeRegionDue(monitor.id, region);
    await becomes(monitor.id, 'down');
    const attempts = await db.checkAttempt.findMany({ where: { monitorId: monitor.id } });
    const contents = attempts.map(({ content }) => JSON.parse(Buffer.from(content ?? []).toString('utf8')));
    expect(contents[0].attempt).toMatchObject({
      region,
      status: 'down',
      exchanges: [expect.objectContaining({ body: expect.anything() })],
    });
    status = 200;
    await makeRegionDue(monitor.id, region);
    await becomes(monitor.id, 'up');
    const incidents = await db.incident.findMany({ where: { teamId } });
    expect(incidents.map((each) => each.status)).toEqual(['resolved']);
  });

  it('records nothing of a check whose monitor was edited meanwhile', async () => {
    const monitor = await make(region);
    let answer: () => void = () => undefined;
    answering = new Promise((resolve) => {
      answer = resolve;
    });
    await start();
    await until(() => requests.length === 1, 10_000, 'The check');
    await db.monitor.update({ where: { id: monitor.id }, data: { version: { increment: 1 } } });
    answer();
    await sleep(1_500);
    expect(await db.check.count({ where: { monitorNum: monitor.num } })).toBe(0);
  });

  it('checks each of 100 monitors once while a second one runs', async () => {
    const monitors = await makeMonitors(
      teamId,
      Array.from({ length: 100 }, (_, index) => ({
        url: `http://127.0.0.1:${target.port}/${index}`,
        regions: [region],
      })),
    );
    await Promise.all([start(), start()]);
    const where = { monitorNum: { in: monitors.map(({ num }) => num) } };
    const checked = async () => (await db.check.groupBy({ by: ['monitorNum'], where })).length;
    await until(async () => (await checked()) === 100, 30_000, 'The checks');
    // One request for each recorded check, also of a monitor that was checked again.
    await until(
      async () => (await db.check.count({ where })) === requests.length,
      10_000,
      'As many checks as requests',
    );
  });

  it('reports that it runs, and leaves when it stops', async () => {
    await start();
    const count = async () => (region === 'eu' ? db.worker.count({ where: { region } }) : db.agent.count());
    await until(async () => (await count()) === 1, 5_000);
    await Promise.all([...running].map((each) => each.stop(500)));
    running.clear();
    expect(await count()).toBe(0);
  });
});

describe('agents', { timeout: 60_000 }, () => {
  it('leaves monitors of another team alone whose region has the same name', async () => {
    const other = await makeTeam();
    const [foreign] = await makeMonitors(other, [
      { url: `http://127.0.0.1:${target.port}/foreign`, regions: ['private/office'] },
    ]);
    const own = await make('private/office', '/own');
    const { secret } = await makeToken();
    const { source } = await startAgent(secret);
    await becomes(own.id, 'up');
    expect(requests.map((each) => each.trim())).toEqual(['/own']);
    const plans = source.plans.inParts([{ monitorId: foreign?.id ?? '', version: 1 }]);
    for await (const part of plans) for (const { plan } of part) expect(plan).toBeUndefined();
  });

  it('stops with one line when its token is revoked', async () => {
    const { secret, agentToken } = await makeToken();
    const { refused } = await startAgent(secret);
    await deleteAgentToken({ ctx: contextOf(), input: { id: agentToken.id } });
    expect((await refused).message).toBe('This agent token is invalid or was revoked.');
  });

  it('is refused with one line when its version differs', async () => {
    const { secret } = await makeToken();
    network = (request) => {
      request.headers.set('upwatch-compatibility', '1');
      return handleAgent(request);
    };
    await expect(startAgent(secret)).rejects.toThrow(
      /^This server runs Upwatch .* Install the same version for the agent\.$/,
    );
  });

  it('leaves its checks to another agent when it is killed', async () => {
    const { secret } = await makeToken();
    const first = await startAgent(secret);
    const monitor = await make('private/office');
    await until(async () => (await readRegion(monitor.id, 'private/office')).status === 'up', 10_000);
    // A killed agent keeps a claim that it never renews.
    network = async () => {
      throw new Error('unplugged');
    };
    await first.scheduler.stop(0);
    running.delete(first.scheduler);
    await db.$executeRaw`update monitor_states set due_at = now(), claimed_by = 'killed', claimed_until = now() + interval '2 s'
      where monitor_id = ${monitor.id} and region = 'private/office'`;
    network = handleAgent;
    await startAgent(secret);
    await until(async () => (await db.check.count({ where: { monitorNum: monitor.num } })) === 2, 10_000);
  });

  it('drops what it found while it was cut off longer than its lease, and dates nothing back', async () => {
    const { secret } = await makeToken();
    const monitor = await make('private/office');
    await startAgent(secret);
    await becomes(monitor.id, 'up');
    status = 503;
    let results = 0;
    network = async (request) => {
      if (new URL(request.url).pathname.endsWith('/claim')) return handleAgent(request);
      if (request.url.endsWith('/results')) results += 1;
      // As `fetch` rejects.
      throw new TypeError('fetch failed', { cause: new Error('cut off') });
    };
    await makeRegionDue(monitor.id, 'private/office');
    await until(async () => results > 0, 10_000);
    status = 200;
    // The lease ends.
    await db.$executeRaw`update monitor_states set claimed_until = now() - interval '1 s' where monitor_id = ${monitor.id} and region <> ''`;
    const cutAt = new Date();
    network = handleAgent;
    await until(async () => {
      const { lastCheckedAt } = await readRegion(monitor.id, 'private/office');
      return (lastCheckedAt ?? cutAt) > cutAt;
    }, 20_000);
    const checks = await db.check.findMany({ where: { monitorNum: monitor.num } });
    expect(checks.map((each) => each.status)).toEqual(['up', 'up']);
  });

  it('accepts no time before the claim, nor in the future', async () => {
    const { secret } = await makeToken();
    const monitor = await make('private/office');
    const before = new Date();
    network = async (request) => {
      if (!request.url.endsWith('/results')) return handleAgent(request);
      const body = await request.json();
      for (const each of body.results) each.at = 0;
      return handleAgent(
        new Request(request.url, { method: 'POST', headers: request.headers, body: JSON.stringify(body) }),
      );
    };
    await startAgent(secret);
    await becomes(monitor.id, 'up');
    const check = await db.check.findFirstOrThrow({ where: { monitorNum: monitor.num } });
    expect(check.at.getTime()).toBeGreaterThan(before.getTime() - 1_000);
  });

  it('checks a monitor now, for which the instance itself opens no connection', async () => {
    const monitor = await make('private/office');
    await expect(checkNow(monitor)).rejects.toThrow('No agent is running in private/office');
    expect(requests).toEqual([]);
    const { secret } = await makeToken();
    await startAgent(secret);
    await becomes(monitor.id, 'up');
    await until(async () => (await db.agent.count()) === 1, 5_000);
    const check = await checkNow(monitor);
    expect(check).toMatchObject({ status: 'up', region: 'private/office' });
    expect(requests).toHaveLength(2);
  });
});
