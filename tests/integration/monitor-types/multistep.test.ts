import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toAttempt } from '@/server/incidents/evidence/to-attempt';
import { evaluateApart } from '@/server/monitor-types/evaluation/evaluate-apart';
import { observe } from '@/server/monitor-types/probes';
import { MultistepConfig } from '@/server/monitor-types/schema';
import { env } from '@/server/platform/env';
import { asTeam, httpTarget, type Target } from '@/tests/integration/checks/targets';

const MIB = 1024 * 1024;
const CSRF = 'csrf-0f6f1a1c9b';
const SESSION = 'session-7d1e0c55aa';
const TOKEN = 'token-3f9b7a2c11d4';

let shop: Target;
/** Another origin on the same address. */
let other: Target;
const asked: string[] = [];
const agents: string[] = [];

const form = (value: string) => `<form><input name="csrf" value="${value}"></form>`;

async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = new URLSearchParams(await text(request));
  const isRight =
    sent.get('csrf') === CSRF && sent.get('password') === 'p&ss=word' && request.headers.cookie === `sid=${SESSION}`;
  if (!isRight) return void response.writeHead(401).end('wrong');
  response.writeHead(302, { location: '/account', 'set-cookie': `auth=${TOKEN}; Path=/; HttpOnly` }).end();
}

async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { password } = JSON.parse(await text(request)) as { password: string };
  response.setHeader('content-type', 'application/json');
  if (password !== 'p&ss=word') response.writeHead(401).end('{"error":"wrong password"}');
  else response.end(JSON.stringify({ access_token: TOKEN, next: '/orders/7', host: `127.0.0.1:${other.port}` }));
}

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/login': (request, response) => {
    if (request.method === 'POST') return void login(request, response);
    response.setHeader('set-cookie', `sid=${SESSION}; Path=/`).end(form(CSRF));
  },
  '/account': ({ headers }, response) => {
    const isIn = headers.cookie === `sid=${SESSION}; auth=${TOKEN}`;
    response.writeHead(isIn ? 200 : 403).end(isIn ? `Welcome, ${TOKEN}` : 'log in first');
  },
  '/token': (request, response) => void token(request, response),
  '/me': ({ headers }, response) => {
    const isIn = headers.authorization === `Bearer ${TOKEN}`;
    response.writeHead(isIn ? 200 : 401, { 'x-echo': TOKEN }).end(JSON.stringify({ token: TOKEN }));
  },
  '/orders/7': (_request, response) => response.end('order 7'),
  '/away': ({ headers }, response) => {
    agents.push(headers['user-agent'] ?? '');
    response.writeHead(302, { location: `http://127.0.0.1:${other.port}/agent` }).end();
  },
  '/agent': ({ headers }, response) => {
    agents.push(headers['user-agent'] ?? '');
    response.end('here');
  },
  '/hang': () => undefined,
  '/large': (_request, response) => response.end(Buffer.alloc(MIB, 'a')),
  '/large-value': (_request, response) => response.end(JSON.stringify({ value: 'x'.repeat(MIB - 100) })),
  '/values': (_request, response) => response.end(JSON.stringify({ value: 'x'.repeat(8_000) })),
  '/line': (_request, response) => response.end(JSON.stringify({ value: 'a\r\nx-injected: 1' })),
  '/hop': (_request, response) => response.writeHead(302, { location: '/orders/7' }).end(),
  '/inside': (_request, response) => {
    forbidInside();
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
  },
  '/inside-host': (_request, response) => {
    forbidInside();
    response.end(JSON.stringify({ host: '169.254.169.254' }));
  },
};

/** Refuses private addresses from now on, because the server is on one. */
function forbidInside(): void {
  Object.assign(env, { allowPrivateTargets: false });
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  asked.push(`${request.method} ${request.url}`);
  const route = routes[(request.url ?? '').replace(/\?.*/, '')];
  if (route) route(request, response);
  else response.writeHead(404).end();
}

beforeAll(async () => {
  [shop, other] = await Promise.all([httpTarget(serve), httpTarget(serve)]);
});
afterAll(() => Promise.all([shop, other].map((target) => target?.close())));

const at = (path: string) => `http://localhost:${shop.port}${path}`;

async function check(steps: object[], more: Record<string, unknown> = {}) {
  asked.length = 0;
  const config = MultistepConfig.parse({
    steps: steps.map((step, index) => ({ name: `Step ${index + 1}`, ...step })),
    timeoutMs: 5_000,
    ...more,
  });
  const target = { type: 'multistep' as const, config };
  const seen = await observe(target, asTeam());
  const now = new Date();
  const verdict = await evaluateApart({ target, observation: seen, at: now }, 'team', asTeam().signal);
  const plan = { monitor: { id: 'm', teamId: 'team', version: 1 }, target };
  const { attempt } = await toAttempt(plan, { at: now, observation: seen, verdict }, 'default', asTeam().signal);
  return { seen, ...verdict, attempt, shown: JSON.stringify(attempt) };
}

const loginSteps = [
  {
    name: 'Open the form',
    extract: [{ name: 'csrf', from: 'body', expression: 'name="csrf" value="([^"]+)"' }],
  },
  {
    name: 'Log in',
    method: 'POST',
    body: 'csrf={{csrf}}&password={{password}}',
    assertions: [{ source: 'body', operator: 'contains', value: 'Welcome' }],
  },
];
const login2 = (password: string) =>
  check(
    loginSteps.map((step) => ({ ...step, url: at('/login') })),
    { variables: { password }, saveResponseBody: true },
  );

const tokenSteps = (): [object, object] => [
  {
    name: 'Get a token',
    method: 'POST',
    url: at('/token'),
    body: '{"password": "{{password}}"}',
    extract: [{ name: 'access', expression: '$.access_token' }],
  },
  { name: 'Read the profile', url: at('/me'), headers: { authorization: 'Bearer {{access}}' } },
];

describe('multistep probe', () => {
  it('logs in with a cookie and a CSRF token, following a redirect', async () => {
    const { status, error, seen, attempt, shown } = await login2('p&ss=word');
    expect([status, error]).toEqual(['up', null]);
    expect(asked).toEqual(['GET /login', 'POST /login', 'GET /account']);
    expect(attempt.steps).toMatchObject([
      { name: 'Open the form', statusCode: 200, isMet: true },
      { name: 'Log in', statusCode: 200, isMet: true },
    ]);
    expect(attempt.exchanges.map(({ step }) => step)).toEqual([0, 1, 1]);
    const sum = seen.trace.steps?.reduce((total, { latencyMs }) => total + (latencyMs ?? 0), 0) ?? 0;
    expect(sum).toBeLessThanOrEqual(seen.latencyMs);
    for (const secret of [CSRF, SESSION, TOKEN, 'p&ss=word', 'p%26ss']) expect(shown).not.toContain(secret);
    expect(attempt.exchanges.at(-1)?.body?.text).toBe('Welcome, ••••');
  });

  it('forgets cookies after a check', async () => {
    await login2('p&ss=word');
    const { error } = await check([{ name: 'Account', url: at('/account') }]);
    expect(error).toBe('Step 1 "Account": Expected status 200-299, got 403');
  });

  it('sends a bearer token that an API returned, and shows it nowhere', async () => {
    const { status, attempt, shown } = await check(tokenSteps(), {
      variables: { password: 'p&ss=word' },
      saveResponseBody: true,
    });
    expect(status).toBe('up');
    expect(attempt.rules).toMatchObject([
      { rule: 'status 200-299', step: 0 },
      { rule: '{{access}} from JSON $.access_token', isMet: true, step: 0 },
      { rule: 'status 200-299', step: 1 },
    ]);
    expect(shown).not.toContain(TOKEN);
    expect(attempt.exchanges[1]?.response?.headers).toContainEqual({ name: 'x-echo', value: '••••' });
  });

  it('is down with a wrong password, names the step and runs no other', async () => {
    const { status, error, attempt } = await check(tokenSteps(), { variables: { password: 'wrong' } });
    expect([status, error]).toEqual(['down', 'Step 1 "Get a token": Expected status 200-299, got 401']);
    expect(attempt.steps).toMatchObject([
      { statusCode: 401, isMet: false },
      { statusCode: null, latencyMs: null, isMet: null },
    ]);
    expect(asked).toEqual(['POST /token']);
  });

  it('is down if a value is missing', async () => {
    const [first, second] = tokenSteps();
    const steps = [{ ...first, extract: [{ name: 'access', expression: '$.id_token' }] }, second];
    const { error } = await check(steps, { variables: { password: 'p&ss=word' } });
    expect(error).toBe('Step 1 "Get a token": No value for "access" (JSON $.id_token)');
  });

  it('shows no value of a step that fails', async () => {
    const extract = [{ name: 'echo', from: 'header', expression: 'x-echo' }];
    const { status, shown } = await check([{ url: at('/me'), extract }], { saveResponseBody: true });
    expect(status).toBe('down');
    expect(shown).not.toContain(TOKEN);
  });

  it('sends headers with values to no other origin', async () => {
    const { status } = await check([{ url: at('/away'), headers: { 'user-agent': 'shop {{pin}}' } }], {
      variables: { pin: 'p&ss=word' },
    });
    expect(status).toBe('up');
    expect(agents).toEqual(['shop p&ss=word', expect.not.stringContaining('p&ss=word')]);
  });

  it('does not blame the target for a variable that does not fit', async () => {
    const step = { url: at('/me'), headers: { authorization: 'Bearer {{pin}}' } };
    const { status, error } = await check([step], { variables: { pin: '€uro' } });
    expect([status, error]).toEqual(['unknown', expect.stringContaining('"pin" has characters')]);
    expect(asked).toEqual([]);
  });

  it('limits the time of all steps, and names the slow one', async () => {
    const steps = [{ url: at('/orders/7') }, { url: at('/hang') }];
    const { status, error, attempt } = await check(steps, { timeoutMs: 1_500 });
    expect(status).toBe('down');
    expect(error).toBe('Step 2 "Step 2": No response within 1.5 s');
    expect(attempt.rules).toMatchObject([{ rule: 'status 200-299', isMet: true, step: 0 }]);
    expect(attempt.steps?.[1]?.isMet).toBe(false);
  });

  it('follows a value that is a path or a host', async () => {
    const [first] = tokenSteps();
    const extract = [
      { name: 'next', expression: '$.next' },
      { name: 'host', expression: '$.host' },
    ];
    const steps = [{ ...first, extract }, { url: '{{next}}' }, { url: 'http://{{host}}/orders/7?a={{next}}' }];
    const { status, shown } = await check(steps, { variables: { password: 'p&ss=word' } });
    expect(status).toBe('up');
    expect(asked).toEqual(['POST /token', 'GET /orders/7', 'GET /orders/7?a=%2Forders%2F7']);
    expect(shown).not.toContain('%2Forders');
  });

  it('sends no value with a line break in a header', async () => {
    const extract = [{ name: 'value', expression: '$.value' }];
    const { error } = await check([
      { url: at('/line'), extract },
      { url: at('/me'), headers: { 'x-a': '{{value}}' } },
    ]);
    expect(error).toBe('Step 2 "Step 2": The value of "value" has characters that a header cannot contain');
    expect(asked).toEqual(['GET /line']);
  });

  it('limits the redirects of all steps together', async () => {
    const steps = [{ url: at('/hop') }, { url: at('/hop') }];
    expect(await check(steps, { maxRedirects: 2 })).toMatchObject({ status: 'up' });
    const { error } = await check(steps, { maxRedirects: 1 });
    expect(error).toMatch(/^Step 2 "Step 2": Stopped after 0 redirects/);
  });

  it('sums up the steps for the response time', async () => {
    const { status, error } = await check([{ url: at('/orders/7') }, { url: at('/orders/7') }], { degradedAfterMs: 1 });
    expect([status, error?.replace(/\d+ ms,/, 'n ms,')]).toEqual(['degraded', 'Responded in n ms, more than 1 ms']);
  });
});

describe('multistep probe with hostile answers', () => {
  it('refuses a value of 1 MiB', async () => {
    const extract = [{ name: 'value', expression: '$.value' }];
    const { error } = await check([{ url: at('/large-value'), extract }, { url: at('/me?{{value}}') }]);
    expect(error).toBe('Step 1 "Step 1": The value for "value" (JSON $.value) is longer than 8,192 characters');
    expect(asked).toHaveLength(1);
  });

  it('limits all values, and a request before it is built', async () => {
    const extract = [{ name: 'value', expression: '$.value' }];
    const body = '{{value}}'.repeat(6_000);
    const built = await check([
      { url: at('/values'), extract },
      { url: at('/me'), method: 'POST', body },
    ]);
    expect(built.error).toMatch(/^Step 2 "Step 2": The request is longer than [\d,]+ characters$/);
    const many = await check(Array.from({ length: 3 }, () => ({ url: at('/values'), extract })));
    expect(many.error).toBe('Step 3 "Step 3": The values of all steps have more than 16,384 characters');
  });

  it('limits the bodies of ten steps, and keeps only the start of each', async () => {
    const steps = Array.from({ length: 10 }, () => ({ url: at('/large') }));
    const { error, seen, attempt, shown } = await check(steps, { saveResponseBody: true, timeoutMs: 30_000 });
    expect(error).toBe('Step 5 "Step 5": The responses of all steps have more than 4 MiB');
    for (const { body } of seen.trace.exchanges) expect((body as Uint8Array).buffer.byteLength).toBeLessThan(64 * 1024);
    expect(attempt.exchanges[0]?.body).toMatchObject({ bytes: MIB, isTruncated: true });
    expect(shown.length).toBeLessThan(64 * 1024);
  });

  it('names the step that sends endless headers or closes the connection', async () => {
    const target = await httpTarget(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(40_000)}`);
    });
    const { status, error } = await check([{ url: at('/orders/7') }, { url: `http://localhost:${target.port}/` }]);
    await target.close();
    expect(status).toBe('down');
    expect(error).toMatch(/^Step 2 "Step 2": /);
  });
});

describe('multistep probe without ALLOW_PRIVATE_TARGETS', () => {
  afterEach(() => {
    Object.assign(env, { allowPrivateTargets: true });
  });

  it.each([
    ['a redirect', () => [{ url: at('/inside') }], 'Step 1 "Step 1": Redirected to http://169.254.169.254/latest/.'],
    [
      'a value as the host',
      () => [
        { url: at('/inside-host'), extract: [{ name: 'host', expression: '$.host' }] },
        { url: 'http://{{host}}/latest/' },
      ],
      'Step 2 "Step 2": ',
    ],
  ])('refuses a private address by %s', async (_name, steps, wanted) => {
    const { status, error } = await check(steps());
    expect(status).toBe('down');
    expect(error).toContain(wanted);
    expect(error).toContain('private or reserved');
  });
});
