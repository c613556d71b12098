import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handleAgent } from '@/server/api/agent';
import { sha256 } from '@/server/platform/crypto';
import { COMPATIBILITY } from '@/server/platform/database/compatibility';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { BoxKey } from '@/server/platform/sealed-box';
import { as, httpMonitor, join, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let owner: Person;
let stranger: Person;

beforeAll(async () => {
  owner = await signUp();
  stranger = await signUp();
  await db.team.updateMany({ data: { plan: 'self_hosted' } });
});

afterAll(async () => {
  await db.team.deleteMany();
});

const input = { name: 'Server room', region: 'office' };
const create = async (person = owner, body: object = input) => as(person.token)('POST', '/api/v1/agent-tokens', body);

async function agentCall(name: string, secret: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await handleAgent(
    new Request(`http://127.0.0.1:3000/api/agent/v1/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'upwatch-compatibility': String(COMPATIBILITY), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
  return { status: response.status, body: await response.json() };
}

async function startAgent(secret: string, name = 'office-1') {
  const key = new BoxKey();
  const { status, body } = await agentCall('start', secret, { name, version: '1', publicKey: key.publicKey });
  return { key, status, body, headers: { 'upwatch-agent': body.agentId as string } };
}

describe('agent tokens', () => {
  it('are shown once, stored as a hash, and listed without their secret', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^uwa_[\w-]{43}$/);
    expect(body.agentToken).toMatchObject({ name: 'Server room', region: 'private/office', lastUsedAt: null });
    const row = await db.agentToken.findUniqueOrThrow({ where: { id: body.agentToken.id } });
    expect(row.secretHash).toBe(sha256(body.secret));
    const list = await as(owner.token)('GET', '/api/v1/agent-tokens');
    expect(list.body.agentTokens).toContainEqual(body.agentToken);
    expect(JSON.stringify(list.body)).not.toContain(body.secret);
  });

  it.each([{ region: 'Office' }, { region: 'private/office' }, { region: '' }, { name: '' }, { other: 1 }])(
    'refuse %j',
    async (changes) => expect((await create(owner, { ...input, ...changes })).status).toBe(400),
  );

  it('are made by admins, and by keys with the scope for it', async () => {
    expect((await create(await join(owner, 'member'))).body.error.code).toBe('FORBIDDEN');
    expect((await create(await join(owner, 'admin'))).status).toBe(201);
    const plain = await makeKey(owner);
    expect((await create({ ...owner, token: plain })).body.error.code).toBe('INSUFFICIENT_SCOPE');
    const scoped = await makeKey(owner, ['agents:write']);
    expect((await create({ ...owner, token: scoped })).status).toBe(201);
  });

  it('are limited to 50, also under concurrent requests', async () => {
    const { token, teamId } = await signUp();
    await db.team.update({ where: { id: teamId }, data: { plan: 'self_hosted' } });
    const all = await Promise.all(Array.from({ length: 53 }, () => as(token)('POST', '/api/v1/agent-tokens', input)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(all.filter(({ body }) => body.error?.code === 'PLAN_LIMIT_REACHED')).toHaveLength(3);
  });

  it('of another team cannot be revoked', async () => {
    const { body } = await create();
    const path = `/api/v1/agent-tokens/${body.agentToken.id}`;
    expect((await as(stranger.token)('DELETE', path)).status).toBe(404);
    expect((await as((await join(owner, 'member')).token)('DELETE', path)).status).toBe(403);
    expect((await as(owner.token)('DELETE', path)).status).toBe(200);
    expect((await agentCall('start', body.secret, {})).body.error.code).toBe('UNAUTHENTICATED');
  });

  it('are refused by the API, and API keys by the agents’ protocol', async () => {
    const { body } = await create();
    expect((await rest('GET', '/api/v1/monitors', { token: body.secret })).status).toBe(401);
    expect((await agentCall('start', await makeKey(owner), {})).status).toBe(401);
  });
});

describe('the protocol of agents', () => {
  it('registers, reports, lists and removes an agent', async () => {
    const { body } = await create();
    const { headers, body: started } = await startAgent(body.secret);
    expect(started.region).toBe('private/office');
    const report = { checksPerMinute: 3, latenessP99Ms: 4.5, clockOffsetMs: -2, hasNetwork: true };
    expect((await agentCall('report', body.secret, report, headers)).status).toBe(200);
    const list = await as(owner.token)('GET', '/api/v1/agents');
    const own = { id: started.agentId, name: 'office-1', version: '1', region: 'private/office', isAlive: true };
    expect(list.body.agents[0]).toMatchObject({ ...own, ...report, tokenId: body.agentToken.id });
    expect((await as(stranger.token)('GET', '/api/v1/agents')).body.agents).toEqual([]);
    const regions = await as(owner.token)('GET', '/api/v1/regions');
    expect(regions.body.regions).toContainEqual({ name: 'private/office', workers: 1 });
    expect((await agentCall('stop', body.secret, {}, headers)).status).toBe(200);
    expect((await as(owner.token)('GET', '/api/v1/agents')).body.agents).toEqual([]);
  });

  it.each([
    ['claim', 'too many checks', { limit: 1_001, aheadMs: 0 }],
    ['claim', 'a truncated body', '{"limit": 1'],
    ['claim', 'missing fields', {}],
    ['plans', 'too many monitors', { monitorIds: Array.from({ length: 26 }, () => 'x') }],
    ['results', 'too many results', { results: Array.from({ length: 101 }, () => ({})) }],
    ['results', 'too many values', { results: Array.from({ length: 70_000 }, () => 0) }],
    ['report', 'a negative figure', { checksPerMinute: -1, latenessP99Ms: null, clockOffsetMs: 0, hasNetwork: true }],
  ])('refuses a %s with %s', async (name, _what, body) => {
    const { body: token } = await create();
    const { headers } = await startAgent(token.secret);
    const answer = await agentCall(name, token.secret, body, headers);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    await as(owner.token)('DELETE', `/api/v1/agent-tokens/${token.agentToken.id}`);
  });

  it('refuses another version, an agent of another token, and unknown calls', async () => {
    const [one, two] = [(await create()).body, (await create()).body];
    const { headers } = await startAgent(one.secret);
    const claim = { limit: 1, aheadMs: 0 };
    expect((await agentCall('claim', two.secret, claim, headers)).body.error.code).toBe('NOT_FOUND');
    expect((await agentCall('claim', one.secret, claim, { ...headers, 'upwatch-compatibility': '1' })).status).toBe(
      409,
    );
    expect((await agentCall('toString', one.secret, {}, headers)).status).toBe(404);
    expect((await agentCall('claim', one.secret, claim, headers)).status).toBe(200);
  });

  it('sends secrets sealed to the agent alone, of monitors of its region alone', async () => {
    const { body } = await create();
    const { key, headers } = await startAgent(body.secret);
    const config = { url: 'http://10.0.0.1/', headers: { 'x-key': 'swordfish' } };
    const own = await as(owner.token)('POST', '/api/v1/monitors', httpMonitor({ config, regions: ['private/office'] }));
    expect(own.status).toBe(201);
    const elsewhere = await as(owner.token)('POST', '/api/v1/monitors', httpMonitor({ regions: ['private/home'] }));
    const foreign = await as(stranger.token)('POST', '/api/v1/monitors', httpMonitor({ regions: ['private/office'] }));
    const monitorIds = [own, elsewhere, foreign].map((each) => each.body.monitor.id);
    const plans = await agentCall('plans', body.secret, { monitorIds }, headers);
    expect(JSON.stringify(plans.body)).not.toContain('swordfish');
    const opened = JSON.parse(key.open(plans.body.sealed));
    expect(opened.map(({ id }: { id: string }) => id)).toEqual([monitorIds[0]]);
    expect(JSON.stringify(opened)).toContain('swordfish');
    const claimed = await agentCall('claim', body.secret, { limit: 10, aheadMs: 0 }, headers);
    expect(claimed.body.claims.map(({ monitorId }: { monitorId: string }) => monitorId)).toEqual([monitorIds[0]]);
    expect(JSON.stringify(claimed.body)).not.toContain('swordfish');
  });

  it('drops results that are malformed, without a ticket, or of a claim that somebody else holds', async () => {
    const person = await signUp();
    const { body } = await create(person);
    const { body: made } = await as(person.token)(
      'POST',
      '/api/v1/monitors',
      httpMonitor({ regions: ['private/office'] }),
    );
    const [one, two] = [await startAgent(body.secret, 'one'), await startAgent(body.secret, 'two')];
    const { body: claimed } = await agentCall('claim', body.secret, { limit: 10, aheadMs: 0 }, one.headers);
    const [claim] = claimed.claims;
    expect(claim.monitorId).toBe(made.monitor.id);
    const verdict = { status: 'down', error: 'It is down' };
    const { monitorId, version, ticket } = claim;
    const result = { monitorId, version, ticket, at: Date.now(), verdict, observation: null };
    const send = async (results: unknown[], headers: Record<string, string>) =>
      (await agentCall('results', body.secret, { results }, headers)).body;
    const none = { due: [], retry: [] };
    expect(await send([{ ...result, at: 'now' }, 7, null], one.headers)).toEqual(none);
    expect(await send([{ ...result, ticket: `${Date.now()}.x` }], one.headers)).toEqual(none);
    expect(await send([{ ...result, version: version + 1 }], one.headers)).toEqual(none);
    expect(await send([result], two.headers)).toEqual(none);
    expect((await send([result, result], one.headers)).due).toHaveLength(1);
    expect(await send([result], one.headers)).toEqual(none);
    const num = (await db.monitor.findUniqueOrThrow({ where: { id: monitorId } })).num;
    expect(await db.check.count({ where: { monitorNum: num } })).toBe(1);

    // The ticket of an earlier check of the same agent does not date the next one.
    await db.monitorState.updateMany({ where: { monitorId }, data: { dueAt: new Date() } });
    const next = await agentCall('claim', body.secret, { limit: 10, aheadMs: 0 }, one.headers);
    expect(next.body.claims).toHaveLength(1);
    expect(await send([result], one.headers)).toEqual(none);
    expect((await send([{ ...result, ticket: next.body.claims[0].ticket }], one.headers)).due).toHaveLength(1);
  });

  it('refuses a key to which nothing can be sealed', async () => {
    const { body } = await create();
    const publicKey = Buffer.alloc(32).toString('base64url');
    const { status } = await agentCall('start', body.secret, { name: 'one', version: '1', publicKey });
    expect(status).toBe(400);
  });

  it('lets 20 agents of a token run', async () => {
    const { body } = await create();
    const all = await Promise.all(Array.from({ length: 22 }, (_, index) => startAgent(body.secret, `agent-${index}`)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});

describe('monitors of private regions', () => {
  it('may have private addresses, until workers are to check them', async () => {
    const config = { url: 'http://10.0.0.1/' };
    Object.assign(env, { allowPrivateTargets: false });
    try {
      const post = (body: object) => as(owner.token)('POST', '/api/v1/monitors', body);
      expect((await post(httpMonitor({ config }))).status).toBe(400);
      expect((await post(httpMonitor({ config, regions: ['private/office', 'eu'] }))).status).toBe(400);
      expect((await post(httpMonitor({ config: { url: 'http://a_b c/' }, regions: ['private/office'] }))).status).toBe(
        400,
      );
      const made = await post(httpMonitor({ config, regions: ['private/office'] }));
      expect(made.status).toBe(201);
      const path = `/api/v1/monitors/${made.body.monitor.id}`;
      const moved = await as(owner.token)('PUT', path, { regions: ['eu'] });
      expect(moved.body.error.issues[0].path).toBe('config.url');
      expect((await as(owner.token)('PUT', path, { name: 'Router' })).status).toBe(200);
    } finally {
      Object.assign(env, { allowPrivateTargets: true });
    }
  });

  it('are not tried by the instance', async () => {
    const made = await as(owner.token)('POST', '/api/v1/monitors', httpMonitor({ regions: ['private/office'] }));
    const { id, config } = made.body.monitor;
    const tried = await as(owner.token)('POST', '/api/v1/monitors/test', { id, type: 'http', config });
    expect(tried.body.error.message).toMatch(/^Only agents can reach the target/);
  });
});
