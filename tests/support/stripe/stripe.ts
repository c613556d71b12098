import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerPage } from './stripe-pages';
import { type Params, Refusal, type StripeEvent, StripeState } from './stripe-state';

/** The values of STRIPE_* for this stand-in. */
export const stripeKeys = {
  secretKey: 'sk_test_upwatch',
  webhookSecret: 'whsec_upwatch_test',
  pricePro: 'price_pro',
  priceBusiness: 'price_business',
};

export interface StripeRequest {
  method: string;
  path: string;
  params: Params;
  idempotencyKey: string | null;
  /** Whether the answer was that of an earlier request with the same key. */
  replayed: boolean;
}

/** How it fails: a closed connection, a 500 in Stripe's format, or no answer at all. */
export type Outage = 'closed' | 'broken' | 'silent';

export interface StripeStandIn {
  url: string;
  state: StripeState;
  requests: StripeRequest[];
  /** Failing until set to `null`. */
  fail(outage: Outage | null): void;
  /** Delays the answer to the next request of a path until the returned function is called. */
  hold(path: RegExp): { arrived: Promise<void>; release: () => void };
  /** An event as Stripe sends it: the body's text and its signature header. */
  sign(
    event: StripeEvent,
    options?: { secret?: string; at?: number },
  ): { body: string; headers: Record<string, string> };
  close(): Promise<void>;
}

interface StandInOptions {
  port?: number;
  /** The URL that receives events automatically, for manual runs. Tests deliver them themselves. */
  webhookUrl?: string;
}

/** Parses a form body or query (application/x-www-form-urlencoded with brackets). */
function readParams(encoded: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    if (name.endsWith('[]')) path.push(String(Object.keys(readIn(params, path)).length));
    const last = path.pop() ?? name;
    readIn(params, path)[last] = value;
  }
  return params;
}

function readIn(params: Params, path: string[]): Params {
  let inner = params;
  for (const part of path) {
    const next = inner[part];
    const made: Params = typeof next === 'object' ? next : {};
    inner[part] = made;
    inner = made;
  }
  return inner;
}

type Handler = (state: StripeState, id: string, params: Params) => unknown;

const operations: [string, RegExp, Handler][] = [
  ['POST', /^\/v1\/customers$/, (state, _id, params) => state.createCustomer(params)],
  ['GET', /^\/v1\/customers\/(\w+)$/, (state, id) => state.readCustomer(id)],
  ['DELETE', /^\/v1\/customers\/(\w+)$/, (state, id) => state.deleteCustomer(id)],
  ['POST', /^\/v1\/checkout\/sessions$/, (state, _id, params) => state.openCheckout(params)],
  ['POST', /^\/v1\/billing_portal\/sessions$/, (state, _id, params) => state.openPortal(params)],
  ['GET', /^\/v1\/subscriptions\/(\w+)$/, (state, id) => state.readSubscription(id)],
  ['DELETE', /^\/v1\/subscriptions\/(\w+)$/, (state, id) => state.cancel(id)],
];

class Api {
  readonly requests: StripeRequest[] = [];
  private readonly answered = new Map<string, { print: string; status: number; body: string }>();

  constructor(private readonly state: StripeState) {}

  answer(request: IncomingMessage, path: string, encoded: string): { status: number; body: string } {
    const method = request.method ?? 'GET';
    const params = readParams(encoded);
    const key = request.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' && method === 'POST' ? key : null;
    const print = createHash('sha256').update(`${method} ${path}\n${encoded}`).digest('hex');
    const earlier = idempotencyKey === null ? undefined : this.answered.get(idempotencyKey);
    this.requests.push({ method, path, params, idempotencyKey, replayed: earlier !== undefined });
    const outcome = this.run(
      request,
      path,
      params,
      earlier && earlier.print !== print ? idempotencyKey : null,
      earlier,
    );
    if (idempotencyKey !== null && !earlier && outcome.status < 500) {
      this.answered.set(idempotencyKey, { print, ...outcome });
    }
    return outcome;
  }

  private run(
    { headers, method }: IncomingMessage,
    path: string,
    params: Params,
    clashing: string | null,
    earlier: { status: number; body: string } | undefined,
  ): { status: number; body: string } {
    try {
      if (headers.authorization !== `Bearer ${stripeKeys.secretKey}`) {
        throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
      }
      if (clashing) {
        const message = `Keys for idempotent requests can only be used with the same parameters. Key: ${clashing}`;
        throw new Refusal(400, { type: 'idempotency_error', message });
      }
      if (earlier) return { status: earlier.status, body: earlier.body };
      for (const [verb, pattern, handler] of operations) {
        const match = verb === method ? pattern.exec(path) : null;
        if (match) return { status: 200, body: JSON.stringify(handler(this.state, match[1] ?? '', params)) };
      }
      throw new Refusal(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${path}).`,
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: JSON.stringify({ error: error.error }) };
    }
  }
}

function sign(
  event: StripeEvent,
  { secret = stripeKeys.webhookSecret, at = Math.floor(Date.now() / 1000) }: { secret?: string; at?: number } = {},
) {
  const body = JSON.stringify(event);
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${v1}` } };
}

/** Sends the events from `first` on, each until it is answered with 2xx, three times at most. */
async function sendEvents(state: StripeState, first: number, url: string): Promise<void> {
  for (const event of state.events.slice(first)) {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { ok } = await fetch(url, { method: 'POST', ...sign(event) });
      if (ok) break;
    }
  }
}

/**
 * A stand-in for Stripe on loopback, reached through STRIPE_API_BASE. It keeps state, parses form bodies, honours
 * idempotency keys, and returns errors and signs events as Stripe does. Its pages are `/pay/…` and `/portal/…`.
 */
export async function startStripe({ port = 0, webhookUrl }: StandInOptions = {}): Promise<StripeStandIn> {
  let url = '';
  let outage: Outage | null = null;
  let held: { path: RegExp; arrive: () => void; released: Promise<void> } | null = null;
  const state = new StripeState(() => url, [stripeKeys.pricePro, stripeKeys.priceBusiness]);
  const api = new Api(state);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://stripe.invalid');
    const body = await text(request);
    if (!pathname.startsWith('/v1/')) {
      const first = state.events.length;
      const page = answerPage(state, stripeKeys, request.method ?? 'GET', pathname, body);
      if (webhookUrl) await sendEvents(state, first, webhookUrl);
      response.writeHead(page.status, page.headers).end(page.body);
      return;
    }
    if (outage === 'closed') return void request.socket.destroy();
    if (outage === 'silent') return;
    if (outage === 'broken') {
      const error = { type: 'api_error', message: 'Something went wrong on our end.' };
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    const outcome = api.answer(request, pathname, request.method === 'POST' ? body : search.slice(1));
    if (held?.path.test(pathname)) {
      const { arrive, released } = held;
      held = null;
      arrive();
      await released;
    }
    response.writeHead(outcome.status, { 'content-type': 'application/json' }).end(outcome.body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error('The Stripe stand-in failed', error);
      response.writeHead(500).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    state,
    requests: api.requests,
    sign,
    fail(next) {
      outage = next;
    },
    hold(path) {
      let arrive = () => {};
      let release = () => {};
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = { path, arrive, released };
      return { arrived, release };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
