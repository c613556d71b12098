import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { HttpConfig } from '@/server/monitor-types/schema';
import { asTeam, closedPort, httpTarget, type Target, tcpTarget } from '@/tests/integration/checks/targets';
import { selfSignedCertificate } from '@/tests/support/certificate';

const MIB = 1024 * 1024;

let target: Target;
let secure: Target;
/** Another origin: the target of redirects and the token endpoint. */
let other: Target;
let tokensGiven = 0;
let requests = 0;
const garbage: Target[] = [];

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers, url } = request;
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-seen', ['one', 'two']);
  response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
}

function redirectTo(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location }).end('somewhere else');
}

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/ok': (_request, response) => response.end('all is well'),
  '/echo': (request, response) => void echo(request, response),
  '/500': (_request, response) => response.writeHead(500).end('no'),
  '/204': (_request, response) => response.writeHead(204).end(),
  '/hang': () => undefined,
  '/drip': (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 20);
    response.once('close', () => clearInterval(timer));
  },
  '/drip-open': (request) => {
    request.socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const timer = setInterval(() => request.socket.write('x'), 20);
    request.socket.once('close', () => clearInterval(timer));
  },
  '/drip-head': (request) => {
    request.socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => request.socket.write('x: y\r\n'), 20);
    request.socket.once('close', () => clearInterval(timer));
  },
  '/reset': (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('half of it');
    setTimeout(() => response.destroy(), 20);
  },
  '/reset-at-once': (request) => request.socket.resetAndDestroy(),
  '/large': (_request, response) => response.end(Buffer.alloc(3 * MIB, 'a')),
  '/exactly': (_request, response) => response.end(Buffer.alloc(MIB, 'a')),
  '/large-head': (_request, response) => response.setHeader('x-large', 'a'.repeat(20_000)).end(),
  '/upgrade': (request) =>
    void request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  '/loop': (_request, response) => redirectTo(response, 302, '/loop'),
  '/cookie-loop': (_request, response) =>
    response.writeHead(302, { location: '/cookie-loop', 'set-cookie': 'seen=1' }).end(),
  '/hop': (_request, response) => redirectTo(response, 302, '/echo'),
  '/see-other': (_request, response) => redirectTo(response, 303, '/echo'),
  '/keep-method': (_request, response) => redirectTo(response, 307, '/echo'),
  '/away': (_request, response) => redirectTo(response, 302, `http://127.0.0.1:${other.port}/echo`),
  '/inside': (_request, response) => redirectTo(response, 302, 'ftp://127.0.0.1/'),
  '/token': (request, response) => {
    tokensGiven += 1;
    void text(request).then((form) => {
      const right = request.headers.authorization === `Basic ${Buffer.from('me%3A:s%26cret').toString('base64')}`;
      if (!right || form !== 'grant_type=client_credentials&scope=a+b') response.writeHead(401).end();
      else response.end(JSON.stringify({ access_token: `token-${tokensGiven}`, expires_in: 3600 }));
    });
  },
  '/token-in-body': (request, response) => {
    void text(request).then((form) => {
      const wanted = 'grant_type=client_credentials&scope=a+b&audience=shop&client_id=me%3A&client_secret=s%26cret';
      if (request.headers.authorization !== undefined || form !== wanted) response.writeHead(401).end();
      else response.end(JSON.stringify({ access_token: 'from-body' }));
    });
  },
  '/needs-second-token': (request, response) => {
    response.writeHead(request.headers.authorization === 'Bearer token-2' ? 200 : 401).end();
  },
};

function serve(request: IncomingMessage, response: ServerResponse): void {
  requests += 1;
  const route = routes[(request.url ?? '').replace(/\?.*/, '')];
  if (route) route(request, response);
  else response.writeHead(404).end();
}

beforeAll(async () => {
  target = await httpTarget(serve);
  secure = await httpTarget(serve, { secure: true });
  other = await httpTarget(serve);
});

afterAll(async () => {
  await Promise.all([target, secure, other, ...garbage].map((each) => each.close()));
});

const config = (path: string, changes: Record<string, unknown> = {}) =>
  HttpConfig.parse({ url: `http://127.0.0.1:${target.port}${path}`, timeoutMs: 2_000, ...changes });

async function check(path: string, changes: Record<string, unknown> = {}) {
  const checked = { type: 'http' as const, config: config(path, changes) };
  const seen = await observe(checked, asTeam());
  return { ...seen, ...evaluate(checked, seen, new Date()) };
}

async function echoed(path: string, changes: Record<string, unknown> = {}) {
  const { evidence: answer } = await check(path, changes);
  if (!answer) throw new Error('There was no response');
  return JSON.parse(answer.body.toString()) as {
    method: string;
    url: string;
    headers: Record<string, string>;
    body: string;
  };
}

describe('http response', () => {
  it('is read whole, with its phases', async () => {
    const seen = await check('/ok');
    expect(seen).toMatchObject({ outcome: 'ok', status: 'up', error: null, family: 4, certificate: null });
    expect(seen.evidence).toMatchObject({
      statusCode: 200,
      body: Buffer.from('all is well'),
      truncated: false,
      redirects: 0,
    });
    const { dnsMs, connectMs, tlsMs, firstByteMs, downloadMs } = seen.timings;
    expect({ dnsMs, tlsMs }).toEqual({ dnsMs: null, tlsMs: null });
    const phases = (connectMs ?? Number.NaN) + (firstByteMs ?? Number.NaN) + (downloadMs ?? Number.NaN);
    expect(phases).toBeGreaterThan(0);
    expect(phases).toBeLessThanOrEqual(seen.latencyMs);
  });

  it('includes the duration of the DNS lookup', async () => {
    const seen = await check('', { url: `http://localhost:${target.port}/ok` });
    expect(seen.status).toBe('up');
    expect(seen.timings.dnsMs).toBeGreaterThan(0);
  });

  it('may have no body', async () => {
    expect(await check('/204')).toMatchObject({ status: 'up', evidence: { statusCode: 204 } });
    expect(await check('/ok', { method: 'HEAD' })).toMatchObject({ status: 'up', evidence: { body: Buffer.alloc(0) } });
  });

  it('is down with another status', async () => {
    expect(await check('/500')).toMatchObject({ status: 'down', error: 'Expected status 200-299, got 500' });
    expect(await check('/nowhere')).toMatchObject({ status: 'down', error: 'Expected status 200-299, got 404' });
  });

  it('is cut off at 1 MiB', async () => {
    const large = await check('/large');
    expect(large).toMatchObject({ status: 'up', evidence: { truncated: true } });
    expect(large.evidence?.body.length).toBe(MIB);
    const exactly = await check('/exactly');
    expect(exactly.evidence).toMatchObject({ truncated: false });
    expect(exactly.evidence?.body.length).toBe(MIB);
  });

  it('is an unexpected status if it switches protocols', async () => {
    expect(await check('/upgrade')).toMatchObject({ status: 'down', error: 'Expected status 200-299, got 101' });
  });
});

describe('http request', () => {
  it('has the configured fields, on a connection that is closed after it', async () => {
    const seen = await echoed('/echo?a=1#part', {
      method: 'POST',
      headers: {
        'X-Custom': 'yes',
        constructor: 'sent',
        'User-Agent': 'mine',
        'Content-Length': '3',
        'Transfer-Encoding': 'chunked',
      },
      body: 'grüße',
      auth: { kind: 'basic', username: 'me', password: 'pä:ss' },
    });
    expect(seen).toMatchObject({ method: 'POST', url: '/echo?a=1', body: 'grüße' });
    expect(seen.headers).toEqual({
      host: `127.0.0.1:${target.port}`,
      'user-agent': 'mine',
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
      'x-custom': 'yes',
      constructor: 'sent',
      authorization: `Basic ${Buffer.from('me:pä:ss').toString('base64')}`,
      'content-length': String(Buffer.byteLength('grüße')),
      connection: 'close',
    });
  });

  it('joins repeated response headers', async () => {
    const assertions = [{ source: 'header', property: 'X-Seen', operator: 'equals', value: 'one, two' }];
    expect(await check('/echo', { assertions })).toMatchObject({ status: 'up' });
  });

  it('sends a bearer token', async () => {
    const { headers } = await echoed('/echo', { auth: { kind: 'bearer', token: 'abc' } });
    expect(headers.authorization).toBe('Bearer abc');
  });
});

describe('OAuth 2 client credentials', () => {
  const auth = (changes: Record<string, unknown> = {}) => ({
    kind: 'oauth2',
    tokenUrl: `http://127.0.0.1:${other.port}/token`,
    clientId: 'me:',
    clientSecret: 's&cret',
    scope: 'a b',
    ...changes,
  });

  it('fetches a token, reuses it, and fetches another when it is rejected', async () => {
    const before = tokensGiven;
    const changes = { auth: auth() };
    expect((await echoed('/echo', changes)).headers.authorization).toBe(`Bearer token-${before + 1}`);
    expect((await echoed('/echo', changes)).headers.authorization).toBe(`Bearer token-${before + 1}`);
    expect(tokensGiven).toBe(before + 1);
    expect(await check('/needs-second-token', changes)).toMatchObject({ status: 'down' });
    expect(await check('/needs-second-token', changes)).toMatchObject({ status: 'up' });
    expect(tokensGiven).toBe(before + 2);
  });

  it('sends the client secret in the body, and an audience, if the config says so', async () => {
    const tokenUrl = `http://127.0.0.1:${other.port}/token-in-body`;
    const changes = { auth: auth({ tokenUrl, audience: 'shop', tokenAuthMethod: 'client_secret_post' }) };
    expect((await echoed('/echo', changes)).headers.authorization).toBe('Bearer from-body');
    // Another audience is another token.
    const wrong = await check('/echo', { auth: { ...changes.auth, audience: 'bank' } });
    expect(wrong).toMatchObject({ status: 'down', error: 'The token endpoint responded with status 401' });
  });

  it('reports the step at which the token failed', async () => {
    const wrong = await check('/echo', { auth: auth({ clientSecret: 'wrong' }) });
    expect(wrong).toMatchObject({ status: 'down', error: 'The token endpoint responded with status 401' });
    const none = await check('/echo', { auth: auth({ tokenUrl: `http://127.0.0.1:${other.port}/ok` }) });
    expect(none).toMatchObject({ status: 'down', error: 'The token endpoint returned no access token' });
  });
});

describe('failing http probe', () => {
  it('reports a closed port', async () => {
    const url = `http://127.0.0.1:${await closedPort()}/`;
    expect(await check('', { url })).toMatchObject({
      outcome: 'failed',
      status: 'down',
      error: 'Connection refused',
      evidence: null,
    });
  });

  it('reports a name that does not resolve', async () => {
    const seen = await check('', { url: 'http://nowhere.invalid/' });
    expect(seen).toMatchObject({ outcome: 'failed', status: 'down' });
    expect(seen.error).toMatch(/did not resolve|name server/);
    expect(seen.timings.connectMs).toBeNull();
  });

  it.each([
    ['/hang', 'No response within 0.3 s'],
    ['/drip-head', 'No response within 0.3 s'],
    ['/drip', 'The response did not end within 0.3 s'],
    ['/drip-open', 'The response did not end within 0.3 s'],
  ])('times out: %s', async (path, error) => {
    const seen = await check(path, { timeoutMs: 300 });
    expect(seen).toMatchObject({ outcome: 'failed', status: 'down', error });
    expect(seen.latencyMs).toBeGreaterThanOrEqual(295);
    expect(seen.latencyMs).toBeLessThan(1_500);
  });

  it.each(['/reset', '/reset-at-once'])('reports: %s', async (path) => {
    expect(await check(path)).toMatchObject({
      outcome: 'failed',
      error: 'The connection was closed before the response was complete',
    });
  });

  it('rejects endless headers', async () => {
    expect(await check('/large-head')).toMatchObject({
      outcome: 'failed',
      error: 'The response headers are too large',
    });
  });

  it('reports a response that is not HTTP', async () => {
    const gibberish = await tcpTarget((socket) => void socket.end('220 mail.test ESMTP\r\n'));
    garbage.push(gibberish);
    const seen = await check('', { url: `http://127.0.0.1:${gibberish.port}/` });
    expect(seen).toMatchObject({ outcome: 'failed', error: 'The response is not valid HTTP' });
  });

  it('reports a missing address family', async () => {
    const seen = await check('/ok', { ipFamily: '6' });
    expect(seen).toMatchObject({ outcome: 'failed', error: 'The address is not an IPv6 address' });
    expect(await check('/ok', { ipFamily: '4' })).toMatchObject({ status: 'up', family: 4 });
  });
});

describe('http servers that support HTTP/2 only', () => {
  it.each([
    ['http', () => createServer()],
    ['https', () => createSecureServer({ ...selfSignedCertificate, ALPNProtocols: ['h2'] })],
  ] as const)('are named as such, over %s', async (scheme, create) => {
    const server = create();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const seen = await check('/', { url: `${scheme}://127.0.0.1:${port}/`, verifyTls: false });
    server.close();
    expect(seen).toMatchObject({ outcome: 'failed', status: 'down' });
    expect(seen.error).toContain('HTTP/2 only');
  });
});

describe('http redirects', () => {
  it('follows http redirects, each over its own connection', async () => {
    const seen = await check('/hop');
    expect(seen).toMatchObject({ status: 'up', evidence: { statusCode: 200, redirects: 1 } });
  });

  it('returns a redirect as the response if it is not followed', async () => {
    const seen = await check('/hop', { followRedirects: false, expectedStatus: ['302'] });
    expect(seen).toMatchObject({ status: 'up', evidence: { statusCode: 302, redirects: 0 } });
  });

  it('fail if there are too many', async () => {
    const seen = await check('/loop', { maxRedirects: 3 });
    const error = `Stopped after 3 redirects; the next led to http://127.0.0.1:${target.port}/loop`;
    expect(seen).toMatchObject({ outcome: 'failed', status: 'down', error });
    expect(await check('/hop', { maxRedirects: 0 })).toMatchObject({ status: 'down' });
    expect(await check('/hop', { maxRedirects: 1 })).toMatchObject({ status: 'up' });
  });

  it('say where they depend on cookies', async () => {
    const { error } = await check('/cookie-loop', { maxRedirects: 2 });
    expect(error).toContain('Stopped after 2 redirects');
    expect(error).toContain('set cookies, which Upwatch does not send back');
    expect((await check('/loop', { maxRedirects: 2 })).error).not.toContain('cookies');
  });

  it('keeps or changes the method of a redirect as RFC 9110 says', async () => {
    const sent = { method: 'POST', body: 'hello' };
    expect(await echoed('/hop', sent)).toMatchObject({ method: 'GET', body: '' });
    expect(await echoed('/see-other', sent)).toMatchObject({ method: 'GET', body: '' });
    expect(await echoed('/keep-method', sent)).toMatchObject({ method: 'POST', body: 'hello' });
  });

  it('send no credentials to another origin', async () => {
    const secrets = { headers: { cookie: 'a=b', 'x-api-key': 'k' }, auth: { kind: 'bearer', token: 'abc' } };
    const here = await echoed('/hop', secrets);
    expect(here.headers).toMatchObject({ cookie: 'a=b', 'x-api-key': 'k', authorization: 'Bearer abc' });
    const there = await echoed('/away', secrets);
    expect(there.headers.host).toBe(`127.0.0.1:${other.port}`);
    expect(Object.keys(there.headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it('fail to another scheme', async () => {
    expect(await check('/inside')).toMatchObject({
      status: 'down',
      error: expect.stringContaining('ftp://127.0.0.1/'),
    });
  });
});

describe('http over TLS', () => {
  const url = (path: string) => `https://localhost:${secure.port}${path}`;

  it('is down with an untrusted certificate, which is stored, and sends nothing', async () => {
    const before = requests;
    const seen = await check('', { url: url('/ok'), auth: { kind: 'bearer', token: 'abc' } });
    expect(seen).toMatchObject({
      outcome: 'failed',
      status: 'down',
      error: 'Certificate is self-signed',
      evidence: null,
    });
    expect(requests).toBe(before);
    expect(seen.certificate).toMatchObject({ subject: 'localhost', issuer: 'localhost' });
    expect(seen.certificate).toMatchObject({ validTo: new Date('2126-10-28T02:21:42Z') });
  });

  it('skips verification on request', async () => {
    const seen = await check('', { url: url('/echo'), verifyTls: false });
    expect(seen).toMatchObject({ status: 'up', certificate: { subject: 'localhost' } });
    expect(seen.timings.tlsMs).toBeGreaterThan(0);
  });

  it('respects its timeout in the handshake', async () => {
    const silent = await tcpTarget(() => undefined);
    garbage.push(silent);
    const seen = await check('', { url: `https://127.0.0.1:${silent.port}/`, timeoutMs: 300 });
    expect(seen).toMatchObject({ outcome: 'failed', error: 'No response within 0.3 s' });
  });

  it('respects its timeout after the handshake', async () => {
    const seen = await check('', { url: url('/hang'), verifyTls: false, timeoutMs: 300 });
    expect(seen).toMatchObject({ outcome: 'failed', error: 'No response within 0.3 s' });
  });

  it('is down on a port without TLS', async () => {
    const seen = await check('', { url: `https://127.0.0.1:${target.port}/ok` });
    expect(seen).toMatchObject({ outcome: 'failed', error: expect.stringMatching(/TLS/) });
  });
});

describe('aborted http probe', () => {
  it('ends without an observation', async () => {
    const stop = new AbortController();
    const running = observe({ type: 'http', config: config('/hang') }, asTeam(stop.signal));
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(running).rejects.toThrow('enough');
    await expect(observe({ type: 'http', config: config('/ok') }, asTeam(stop.signal))).rejects.toThrow('enough');
  });
});
