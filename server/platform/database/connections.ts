import type { Socket } from 'node:net';
import pg from 'pg';
import { log } from '../log';
import { answersAnybody } from './answers-anybody';
import { DatabaseUnreachableError } from './database-away';
import { watchConnection } from './watch-connection';

const LOOK_EVERY_MS = 1_000;
/** Time without a response, of a statement or a new connection, after which the database is probed. */
const SILENT_MS = 2_000;
/** How long a probe is valid: a slow statement must not open a connection at every check. */
const ANSWER_HOLDS_MS = 5_000;
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

/** A system error below the driver, such as EHOSTUNREACH; most are unknown to Prisma. */
function toUnreachable(error: Error): Error {
  return 'syscall' in error ? new DatabaseUnreachableError(error.message, { cause: error }) : error;
}

/**
 * The connections of this process. If the database stops responding, also to new connections (it is frozen, or its machine
 * is lost), all of them are closed and callers fail at once until it responds (circuit breaker).
 */
export class Connections extends pg.Pool {
  private readonly clients = new Map<pg.PoolClient, Wait | null>();
  /** Callers that wait for a connection, by how to fail them. */
  private readonly callers = new Map<() => void, number>();
  private readonly looking: NodeJS.Timeout;
  private isSilent = false;
  private isAsking = false;
  private answeredAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly config: pg.PoolConfig) {
    super({ ...config, onConnect: (client) => watchConnection(client, config) });
    this.on('error', (error) => log.warn({ err: error }, 'A pooled database connection broke'));
    this.on('connect', (client) => {
      this.clients.set(client, null);
      // A caller that waits for a connection starts to listen a moment after taking it; an error in between would end the process.
      client.on('error', (error) => log.debug({ err: error }, 'A database connection broke'));
    });
    this.on('remove', (client) => this.clients.delete(client));
    this.looking = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
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
    const giveUp = () => {
      this.callers.delete(giveUp);
      taken(new Error(NOT_IN_TIME), undefined, () => undefined);
    };
    this.callers.set(giveUp, performance.now());
    super.connect((error, client, done) => {
      // A caller who was given up has had an answer.
      if (!this.callers.delete(giveUp)) return void (client && done());
      taken(error && toUnreachable(error), client, done);
    });
    return undefined;
  }

  override end(): Promise<void>;
  override end(ended: () => void): void;
  override end(ended?: () => void): Promise<void> | undefined {
    clearInterval(this.looking);
    if (!ended) return super.end();
    super.end(ended);
    return undefined;
  }

  private async look(): Promise<void> {
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
