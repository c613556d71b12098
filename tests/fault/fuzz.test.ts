import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { errorTable } from '@/server/trpc/error-table';
import { type DocumentRequest, documentRequests } from '@/tests/contract/property/document-requests';
import { createFuzzWorld, type FuzzWorld } from '@/tests/contract/property/fuzz-world';
import { type RawRequest, rawRequests } from '@/tests/contract/property/raw-requests';
import { inNightly } from '@/tests/support/nightly';
import { type Product, startProduct } from '@/tests/support/product';

/** Takes minutes and the whole machine, so it runs only on request: FUZZ_DOCUMENT_REQUESTS=30000. */
const isAsked = process.env.FUZZ_DOCUMENT_REQUESTS !== undefined;
const test = anyTest.skipIf(!isAsked);
/** How many requests. */
const DOCUMENT_REQUESTS = Number(process.env.FUZZ_DOCUMENT_REQUESTS ?? inNightly(5_000, 600));
const RAW_REQUESTS = Number(process.env.FUZZ_RAW_REQUESTS ?? inNightly(5_000, 600));
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

const BATCH = 500;
const AT_ONCE = 4;
const LONGEST_MS = 1_000;
/** How often a slow request is repeated: the machine may have stalled. */
const TRIES_AGAIN = 3;
const NO_ANSWER_MS = 10_000;
const TIMEOUT_MS = 60_000 + 100 * (DOCUMENT_REQUESTS + RAW_REQUESTS);

let product: Product;
let world: FuzzWorld;

beforeAll(async () => {
  if (!isAsked) return;
  product = await startProduct({
    env: {
      ALLOW_PRIVATE_TARGETS: 'true',
      // With private targets allowed, the system's resolver would look up generated names.
      EGRESS_CANARIES: 'off',
      LINE_API_BASE_URL: 'http://127.0.0.1:9',
      // Limits keep created objects from piling up over many thousands of requests.
      DEFAULT_PLAN: 'pro',
      RATE_LIMIT_PER_MINUTE: '0',
      AUTH_RATE_LIMIT_PER_MINUTE: '0',
      PAGE_RATE_LIMIT_PER_MINUTE: '0',
    },
  });
  world = await createFuzzWorld(product.url);
});

afterAll(async () => {
  await product?.stop();
});

interface Answer {
  /** 0 without an answer. */
  status: number;
  headers: string;
  body: string;
  ms: number;
}

/** Results of many requests. */
class Tally {
  readonly statuses: Record<number, number> = {};
  readonly failures: string[] = [];
  /** Slow requests that were fast when repeated. */
  stalled = 0;
  slowestMs = 0;

  /** Sends a request and checks the response. `fault` describes the problem; null without one. */
  async judge(name: string, send: () => Promise<Answer>, fault: (answer: Answer) => string | null): Promise<void> {
    const answer = await send();
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    const wrong = fault(answer);
    if (wrong !== null) this.failures.push(`${wrong}: ${name} → ${answer.status} ${answer.body.slice(0, 300)}`);
    this.slowestMs = Math.max(this.slowestMs, answer.ms);
    let { ms } = answer;
    for (let again = 0; ms > LONGEST_MS && again < TRIES_AGAIN; again += 1) ({ ms } = await send());
    if (ms > LONGEST_MS) this.failures.push(`${Math.round(ms)} ms: ${name}`);
    else if (answer.ms > LONGEST_MS) this.stalled += 1;
  }

  report(what: string, seed: number, count: number): void {
    const { statuses, stalled, slowestMs, failures } = this;
    const times = `slowest ${Math.round(slowestMs)} ms, ${stalled} over ${LONGEST_MS} ms once but not again`;
    console.log(`${count} ${what}, seed ${seed}: ${JSON.stringify(statuses)}; ${times}; ${failures.length} failures`);
  }
}

/** Runs `work` on all items, a few at a time. */
async function eachOf<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const run = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}

/** The problem with an error's envelope; null without one. */
function envelopeFault(status: number, body: string): string | null {
  try {
    const { error, ...beside } = JSON.parse(body) as { error: Record<string, unknown> };
    const { code, message, status: stated, issues, ...more } = error;
    const known = errorTable[code as keyof typeof errorTable];
    const isWhole = Object.keys({ ...beside, ...more }).length === 0 && typeof message === 'string' && message !== '';
    const hasIssues = Array.isArray(issues) === (code === 'VALIDATION_ERROR');
    // Node refuses headers that are too large before the application sees them.
    const fits = stated === status && (known?.status === status || status === 431);
    return isWhole && hasIssues && fits ? null : 'A broken envelope';
  } catch {
    return 'No envelope';
  }
}

function restFault(method: string, { status, headers, body }: Answer): string | null {
  if (status === 0) return 'No answer';
  if (status >= 500) return 'A server error';
  if (!/^x-request-id: [0-9A-HJKMNP-TV-Z]{26}\r?$/im.test(headers)) return 'No request id';
  if (method === 'HEAD' || status === 204) return body === '' ? null : 'A body where none belongs';
  return status >= 400 ? envelopeFault(status, body) : null;
}

async function sendDocumented({ method, path, credential, headers, body }: DocumentRequest): Promise<Answer> {
  const token = world.tokens[credential] ?? null;
  const began = performance.now();
  const response = await fetch(product.url + path, {
    method,
    headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
    redirect: 'manual',
    ...(body !== null && { body }),
  });
  const text = await response.text();
  const ms = performance.now() - began;
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return { status: response.status, headers: lines.join('\n'), body: text, ms };
}

/** Sends raw bytes. Hangs up after an incomplete request, and otherwise waits, since Node does not answer a closed connection. */
function sendRaw({ text, isComplete = true }: Partial<RawRequest> & Pick<RawRequest, 'text'>): Promise<Answer> {
  const { hostname, port } = new URL(product.url);
  const began = performance.now();
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(port), hostname);
    const done = () => {
      socket.destroy();
      // A 100 Continue may precede the answer.
      const answer = got.replace(/^HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n/, '');
      const [head = '', ...rest] = answer.split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
      const chunked = /^transfer-encoding: chunked\r?$/im.test(head);
      const body = rest.join('\r\n\r\n');
      const coded = chunked ? body.replace(/(?:^|\r\n)[\da-f]+\r\n/gi, '').replace(/\r\n$/, '') : body;
      const isZipped = /^content-encoding: gzip\r?$/im.test(head) && coded !== '';
      const plain = isZipped ? gunzipSync(Buffer.from(coded, 'latin1')).toString() : coded;
      resolve({ status, headers: head, body: plain, ms: performance.now() - began });
    };
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      got += part;
    });
    socket.once('end', done);
    socket.once('error', done);
    socket.setTimeout(NO_ANSWER_MS, done);
    if (isComplete) socket.write(text);
    else socket.end(text);
  });
}

const isRest = (path: string) => /^\/(api|auth|admin|dashboard)\//.test(path) && path !== '/dashboard/';

function rawFault({ method, path, isComplete }: RawRequest, answer: Answer): string | null {
  const { status, headers } = answer;
  // A client that hangs up in the middle of a request may get no response.
  if (status === 0) return isComplete ? 'No answer' : null;
  if (status >= 500) return 'A server error';
  if (!/^x-request-id: /im.test(headers)) return 'No request id';
  const hasEnvelope = isRest(path) && status >= 400 && method !== 'HEAD';
  // Two paths with their own formats: tRPC's errors, and text for Prometheus.
  if (hasEnvelope && !/^\/api\/(trpc|metrics)/.test(path)) return envelopeFault(status, answer.body);
  return isRest(path) && status >= 300 && status < 400 && !path.startsWith('/api/auth/') ? 'A redirect' : null;
}

test('answers requests generated from the API document without a server error, a broken envelope or a delay of 1 s', {
  timeout: TIMEOUT_MS,
}, async () => {
  const tally = new Tally();
  for (let done = 0; done < DOCUMENT_REQUESTS; done += BATCH) {
    await world.renew();
    const numRuns = Math.min(BATCH, DOCUMENT_REQUESTS - done);
    const made = documentRequests(world.document, world.ids, world.tokens.length);
    await eachOf(fc.sample(made, { numRuns, seed: SEED + done }), (request) => {
      const name = JSON.stringify(request).slice(0, 1_000);
      return tally.judge(
        name,
        () => sendDocumented(request),
        (answer) => restFault(request.method, answer),
      );
    });
  }
  tally.report('requests by the document', SEED, DOCUMENT_REQUESTS);
  expect({ seed: SEED, failures: tally.failures }).toEqual({ seed: SEED, failures: [] });
  // Otherwise the generated requests have drifted away from valid ones, and the test proves little.
  for (const status of [200, 201, 400, 401, 403, 404])
    expect(tally.statuses[status] ?? 0, `${status}`).toBeGreaterThan(0);
});

test('answers undocumented requests without a server error, a broken envelope or a delay of 1 s', {
  timeout: TIMEOUT_MS,
}, async () => {
  const tally = new Tally();
  const made = rawRequests(new URL(product.url).host);
  for (let done = 0; done < RAW_REQUESTS; done += BATCH) {
    const numRuns = Math.min(BATCH, RAW_REQUESTS - done);
    await eachOf(fc.sample(made, { numRuns, seed: SEED + done }), (request) => {
      const name = JSON.stringify(request.text).slice(0, 1_000);
      return tally.judge(
        name,
        () => sendRaw(request),
        (answer) => rawFault(request, answer),
      );
    });
  }
  tally.report('requests off the document', SEED, RAW_REQUESTS);
  expect({ seed: SEED, failures: tally.failures }).toEqual({ seed: SEED, failures: [] });
  for (const status of [200, 307, 400, 401, 404, 405])
    expect(tally.statuses[status] ?? 0, `${status}`).toBeGreaterThan(0);
});

test('logs no error of its own during all these requests', () => {
  const lines = product.logs().split('\n');
  expect(lines.filter((line) => /"level":"(error|fatal)"|^\s*⨯|^Error:/.test(line)).slice(0, 5)).toEqual([]);
});

test.each<[string, string, number, string]>([
  [
    'a body with an unknown content encoding',
    'PURGE /auth/login HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, x\r\n\r\nxyz',
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['no Host', 'GET /api/v1/monitors HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['two Hosts', 'GET /api/v1/monitors HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['an invalid Host', 'GET /api/auth/csrf HTTP/1.1\r\nhost: a b\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['an unknown Expect', 'GET /api/v1/monitors HTTP/1.1\r\nhost: a\r\nexpect: nothing\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  [
    'a router header on a REST path',
    'GET /api/v1/monitors HTTP/1.1\r\nhost: a\r\nrsc: 1\r\n\r\n',
    401,
    'UNAUTHENTICATED',
  ],
  [
    'GET on the sign-in action',
    'GET /api/auth/callback/credentials HTTP/1.1\r\nhost: a\r\n\r\n',
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    'an unknown next-auth action',
    'POST /api/auth/nothing HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n',
    404,
    'NOT_FOUND',
  ],
  [
    'an unsupported method for a file',
    'POST /icon.svg HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n',
    405,
    'METHOD_NOT_ALLOWED',
  ],
])('answers %s with the error envelope', async (_name, text, status, code) => {
  const answer = await sendRaw({ text: text.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n') });
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, code]);
  expect(envelopeFault(answer.status, answer.body)).toBeNull();
});

test.each([
  ['an invalid callbackUrl', '/api/auth/session?callbackUrl=x', '', 200],
  ['a cookie with an invalid callbackUrl', '/api/auth/csrf', 'cookie: upwatch.callback-url=x\r\n', 200],
  ['an invalid state tree', '/nope?_rsc', 'rsc: 1\r\nnext-router-state-tree: 60\r\n', 404],
  ['a prefetch header that Next does not send', '/login?_rsc', 'rsc: 1\r\nnext-router-prefetch: 2\r\n', 200],
])('answers %s like any other request, and logs nothing of it', async (_name, path, headers, status) => {
  const before = product.logs().length;
  const answer = await sendRaw({ text: `GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}connection: close\r\n\r\n` });
  expect(answer.status).toBe(status);
  expect(product.logs().slice(before)).not.toMatch(/"level":"(warn|error|fatal)"|Error/);
});
