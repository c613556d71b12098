import type { Socket } from 'node:net';
import pg from 'pg';
import { FairPool, type Share } from '../fair-pool';
import { log } from '../log';
import { answersAnybody } from './answers-anybody';
import { shareOfConnection } from './connection-share';
import { DatabaseUnreachableError } from './database-away';
import { watchConnection } from './watch-connection';

const PROBE_EVERY_MS = 1_000;
/** Time without a response, of a statement or a new connection, after which the database is probed. */
const SILENT_MS = 2_000;
/** How long the result of a probe is valid, so that a slow statement does not open a connection at every check. */
const ANSWER_HOLDS_MS = 5_000;
/**
 * The number of connections besides the shared slots, for callers that already hold one: if they waited for a slot, they could block their team
 * forever.
 */
const RESERVED = 1;
/** The maximum delay of a timer. */
const MOST_TIMER_MS = 2 ** 31 - 1;
const NOT_IN_TIME = 'Connection terminated due to connection timeout';

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** Fields of the driver that its types omit. */
interface Internals {
  readyForQuery: boolean;
  connection: { stream: Socket };
}

/** The start of a wait for the database, and the bytes received by then. */
interface Wait {
  since: number;
  bytesRead: number;
}

/** Wraps a system error below the driver, such as EHOSTUNREACH, because Prisma does not know most of them; returns other errors as they are. */
function toUnreachable(error: Error): Error {
  return 'syscall' in error ? new DatabaseUnreachableError(error.message, { cause: error }) : error;
}

/**
 * The connections of this process, shared fairly by team (see `withShare`). If the database stops responding, also to new connections (it is frozen,
 * or its machine is lost), all of them are closed and callers fail at once until it responds (circuit breaker).
 */
export class Connections extends pg.Pool {
  private readonly clients = new Map<pg.PoolClient, Wait | null>();
  /** Callers that wait for a connection: the function that fails the caller, and when the wait began. */
  private readonly callers = new Map<() => void, number>();
  /** One slot per shared connection. */
  private readonly slots: FairPool;
  /** The function that releases the slot of a connection in use. */
  private readonly releases = new WeakMap<pg.PoolClient, () => void>();
  private readonly probing: NodeJS.Timeout;
  private isSilent = false;
  private isAsking = false;
  private answeredAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly config: pg.PoolConfig) {
    super({ ...config, onConnect: (client) => watchConnection(client, config) });
    this.slots = new FairPool({ kind: 'database', slots: Math.max(1, this.options.max - RESERVED) });
    this.on('release', (_error, client) => {
      this.releases.get(client)?.();
      this.releases.delete(client);
    });
    this.on('error', (error) => log.warn({ err: error }, 'A pooled database connection broke'));
    this.on('connect', (client) => {
      this.clients.set(client, null);
      // A caller that waits for a connection starts to listen a moment after taking it; an error in between would end the process.
      client.on('error', (error) => log.debug({ err: error }, 'A database connection broke'));
    });
    this.on('remove', (client) => this.clients.delete(client));
    this.probing = setInterval(() => void this.probe(), PROBE_EVERY_MS).unref();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(taken: Taken): void;
  override connect(taken?: Taken): Promise<pg.PoolClient> | undefined {
    if (!taken) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    }
    if (this.isSilent) {
      queueMicrotask(() => taken(new Error(NOT_IN_TIME), undefined, () => undefined));
      return undefined;
    }
    const share = shareOfConnection();
    const release = share && this.slots.tryEnter(share);
    if (!share || release) this.takeClient(release, taken);
    else this.queue(share, taken);
    return undefined;
  }

  /** The number of callers that wait for a slot or a connection. */
  get callersWaiting(): number {
    return this.slots.waiting + this.waitingCount;
  }

  override end(): Promise<void>;
  override end(ended: () => void): void;
  override end(ended?: () => void): Promise<void> | undefined {
    clearInterval(this.probing);
    if (!ended) return super.end();
    super.end(ended);
    return undefined;
  }

  /** Waits for a slot of the caller's team, for as long as for a connection. */
  private queue(share: Share, taken: Taken): void {
    const giving = new AbortController();
    const giveUp = () => giving.abort();
    const timer = setTimeout(giveUp, this.config.connectionTimeoutMillis || MOST_TIMER_MS);
    this.callers.set(giveUp, performance.now());
    void this.slots
      .enter(share, giving.signal)
      .finally(() => {
        clearTimeout(timer);
        this.callers.delete(giveUp);
      })
      .then(
        (release) => this.takeClient(release, taken),
        () => taken(new Error(NOT_IN_TIME), undefined, () => undefined),
      );
  }

  /** Takes a connection for a caller that has a slot, or needs none. Its release frees the slot. */
  private takeClient(release: (() => void) | null, taken: Taken): void {
    const giveUp = () => {
      this.callers.delete(giveUp);
      taken(new Error(NOT_IN_TIME), undefined, () => undefined);
    };
    this.callers.set(giveUp, performance.now());
    super.connect((error, client, done) => {
      if (client && release) this.releases.set(client, release);
      else release?.();
      // The caller timed out and has its answer already.
      if (!this.callers.delete(giveUp)) return void (client && done());
      taken(error && toUnreachable(error), client, done);
    });
  }

  /**
   * If a caller has waited long, checks whether the database answers at all. If not, ends all waits and connections, and lets callers fail at once
   * until a later probe succeeds.
   */
  private async probe(): Promise<void> {
    const now = performance.now();
    const isWaiting = this.hasLongWait(now);
    if (this.isAsking || !(this.isSilent || (isWaiting && now - this.answeredAt >= ANSWER_HOLDS_MS))) return;
    this.isAsking = true;
    const answers = await answersAnybody(this.config);
    this.isAsking = false;
    if (answers) this.answeredAt = performance.now();
    else if (!this.isSilent) this.giveUpAll();
    this.isSilent = !answers;
  }

  private hasLongWait(now: number): boolean {
    for (const client of this.clients.keys()) this.clients.set(client, this.waitOf(client, now));
    const begins = [...this.callers.values(), ...[...this.clients.values()].flatMap((wait) => wait?.since ?? [])];
    return begins.some((since) => now - since >= SILENT_MS);
  }

  /** Returns the current wait of a connection, which starts again with every received byte; null while no statement runs. */
  private waitOf(client: pg.PoolClient, now: number): Wait | null {
    const { readyForQuery, connection } = client as unknown as Internals;
    if (readyForQuery) return null;
    const { bytesRead } = connection.stream;
    const before = this.clients.get(client);
    return before?.bytesRead === bytesRead ? before : { since: now, bytesRead };
  }

  private giveUpAll(): void {
    log.warn('The database answers nobody; all connections are given up until it does');
    for (const giveUp of [...this.callers.keys()]) giveUp();
    for (const client of this.clients.keys()) (client as unknown as Internals).connection.stream.destroy();
  }
}
