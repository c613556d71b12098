import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseNow, latenessOf } from '@/scripts/bench/checks/monitors.mjs';
import { type Product, startProduct } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { type Call, type Place, send } from './places/place';
import { signUp, type Team } from './places/team';
import { servers } from './setup';

const MONITORS = 40;
const INTERVAL_SECONDS = 5;
const WATCHED_MS = 4_000;
/** The default rate limit of one key, or of one network. */
const CALLS_PER_SECOND = 10;
/** Of an alert. */
const PATIENCE_MS = 60_000;

/** The effect on the quiet team during some time: milliseconds at the 99th percentile, unless stated otherwise. */
export interface Figures {
  /** From the due times of its checks to their starts. */
  checks: number;
  /** From the request that opens an incident to the arrival of its webhook. */
  alerts: number;
  /** Of a list of its monitors. */
  api: number;
  /** Of the health of the web process. */
  health: number;
  /** The longest of these, not the 99th percentile: probes wait for each other, so that one stall is one long answer. */
  stall: number;
}

export interface Measured {
  figures: Figures;
  /** How many of the other team's calls got each status; 0 without an answer. */
  statuses: Record<number, number>;
  /** Requests of the quiet team and probes of the health that were not answered with 2xx. */
  failed: number;
}

const p99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;

/** Repeats requests until the work ends, and returns how long each took. */
class Probe {
  readonly times: number[] = [];
  failed = 0;

  constructor(
    private readonly url: string,
    private readonly call: Call,
    private readonly everyMs: number,
  ) {}

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const began = performance.now();
      const status = await send(this.url, this.call);
      this.times.push(performance.now() - began);
      if (status < 200 || status > 299) this.failed += 1;
      await sleep(this.everyMs);
    }
  }
}

/** One started product with a quiet team, which is measured while another team does something costly. */
export class Neighbours {
  readonly #prepared = new Map<Place, { team: Team; calls: Call[] }>();

  private constructor(
    readonly product: Product,
    private readonly client: pg.Client,
    private readonly quiet: Team,
    private readonly receiver: HttpReceiver,
  ) {}

  static async start(): Promise<Neighbours> {
    const off = { RATE_LIMIT_PER_MINUTE: '0', AUTH_RATE_LIMIT_PER_MINUTE: '0' };
    const product = await startProduct({ env: { ...off, ALLOW_PRIVATE_TARGETS: 'true', LOG_LEVEL: 'warn' } });
    const client = new pg.Client(product.childEnv.DATABASE_URL);
    await client.connect();
    const receiver = await startHttpReceiver();
    const quiet = await signUp(product.url, 'quiet');
    const target = `http://127.0.0.1:${await servers.quiet?.open(-1)}/`;
    await quiet.call('POST', '/api/v1/channels', { type: 'webhook', name: 'Quiet', config: { url: receiver.url } });
    for (let count = 0; count < MONITORS; count += 1) {
      const monitor = { type: 'http', name: `Quiet ${count}`, config: { url: target } };
      await quiet.call('POST', '/api/v1/monitors', { ...monitor, intervalSeconds: INTERVAL_SECONDS });
    }
    const isUp = async () => {
      const { monitors } = await quiet.call<{ monitors: { status: string }[] }>('GET', '/api/v1/monitors?limit=100');
      return monitors.every(({ status }) => status === 'up');
    };
    await until(isUp, 30_000, 'Every monitor of the quiet team up');
    // The first request for a page loads its code.
    for (const path of ['/login', '/shared/unknown']) await send(product.url, { method: 'GET', path });
    return new Neighbours(product, client, quiet, receiver);
  }

  /** The IDs of the processes, which stay the same as long as none ends. */
  pids() {
    return { web: this.product.pidOf('web'), worker: this.product.pidOf('worker') };
  }

  /** Opens an incident of the quiet team again and again: the milliseconds until each alert arrived. */
  private async alerts(isOver: () => boolean): Promise<number[]> {
    const times: number[] = [];
    while (!isOver()) {
      const title = `Alert ${performance.now()}`;
      const began = performance.now();
      const { incident } = await this.quiet.call<{ incident: { id: string } }>('POST', '/api/v1/incidents', { title });
      const hasArrived = () => this.receiver.requests.some(({ body }) => body.includes(title));
      await until(hasArrived, PATIENCE_MS, 'An alert of the quiet team');
      times.push(performance.now() - began);
      await this.quiet.call('POST', `/api/v1/incidents/${incident.id}/resolve`, {});
      this.receiver.requests.length = 0;
      await sleep(200);
    }
    return times;
  }

  /** Measures the quiet team while the calls are sent one after the other, whether or not they are answered. */
  async measure(calls: Call[], perSecond = CALLS_PER_SECOND): Promise<Measured> {
    const { url } = this.product;
    const statuses: Record<number, number> = {};
    const count = (status: number) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
    };
    const health = new Probe(url, { method: 'GET', path: '/api/health' }, 20);
    const api = new Probe(url, { method: 'GET', path: '/api/v1/monitors', token: this.quiet.key }, 25);
    let isOver = false;
    const over = () => isOver;
    const from = await databaseNow(this.client);
    const probing = Promise.all([this.alerts(over), health.run(over), api.run(over)]);
    const noise: Promise<void>[] = [];
    const end = performance.now() + WATCHED_MS;
    for (let index = 0; performance.now() < end; index += 1) {
      const call = calls[index % calls.length];
      if (call) noise.push(send(url, call).then(count));
      await sleep(1_000 / perSecond);
    }
    await Promise.all(noise);
    isOver = true;
    const [alerts] = await probing;
    const checks = await latenessOf(this.client, from, await databaseNow(this.client), this.quiet.teamId);
    const figures = {
      checks: checks.p99,
      alerts: p99(alerts),
      api: p99(api.times),
      health: p99(health.times),
      stall: Math.max(...health.times),
    };
    return { figures, statuses, failed: api.failed + health.failed };
  }

  /** Creates a team for a place and prepares its calls; once, also if a test of the place is repeated. */
  async prepare(place: Place): Promise<Call[]> {
    const { name, prepare } = place;
    const known = this.#prepared.get(place);
    if (known) return known.calls;
    const team = await signUp(this.product.url, name.replaceAll(/[^a-z]/gi, '-').toLowerCase());
    const calls = await prepare(team, this.client);
    this.#prepared.set(place, { team, calls });
    return calls;
  }

  /** Measures the quiet team alone again: without calls, and while the active monitors of a prepared place are paused. */
  async measureWithout(place: Place): Promise<Measured> {
    const { team } = this.#prepared.get(place) ?? {};
    if (!team) throw new Error('The place was not prepared.');
    type Listed = { monitors: { id: string; isActive: boolean }[]; nextCursor: string | null };
    const pages: string[][] = [];
    let path: string | null = '/api/v1/monitors?limit=100';
    while (path !== null) {
      const listed: Listed = await team.call<Listed>('GET', path);
      pages.push(listed.monitors.filter(({ isActive }) => isActive).map(({ id }) => id));
      path = listed.nextCursor && `/api/v1/monitors?limit=100&cursor=${listed.nextCursor}`;
    }
    const change = async (action: string) => {
      for (const ids of pages) if (ids.length > 0) await team.call('POST', '/api/v1/monitors/bulk', { action, ids });
    };
    await change('pause');
    const measured = await this.measure([]);
    await change('resume');
    return measured;
  }

  async stop(): Promise<void> {
    await this.client.end();
    await this.receiver.close();
    await this.product.stop();
  }
}
