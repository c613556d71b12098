import pg from 'pg';
import { log } from '../log';
import { DatabaseUnreachableError } from './database-away';
import { watchConnection } from './watch-connection';

/** After a connection could not be opened in time, nobody else waits that long for the next one. */
const AWAY_MS = 2_000;
const NOT_IN_TIME = 'Connection terminated due to connection timeout';

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** An error of the system below the driver, such as EHOSTUNREACH, most of which Prisma does not know. */
function toUnreachable(error: Error): Error {
  return 'syscall' in error ? new DatabaseUnreachableError(error.message, { cause: error }) : error;
}

/**
 * The connections of this process. Where the database is silent, the first to wait for it does so for
 * `connectionTimeoutMillis`; the others fail at once, until one in two seconds tries again.
 */
export class Connections extends pg.Pool {
  private awayUntil = 0;

  constructor(config: pg.PoolConfig) {
    super({ ...config, onConnect: (client) => watchConnection(client, config) });
    this.on('error', (error) => log.warn({ err: error }, 'A pooled database connection broke'));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(taken: Taken): void;
  override connect(taken?: Taken): Promise<pg.PoolClient> | undefined {
    if (!taken) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    }
    if (this.idleCount === 0 && performance.now() < this.awayUntil) {
      queueMicrotask(() => taken(new Error(NOT_IN_TIME), undefined, () => undefined));
      return undefined;
    }
    super.connect((error, client, done) => {
      this.awayUntil = error?.message === NOT_IN_TIME ? performance.now() + AWAY_MS : 0;
      taken(error && toUnreachable(error), client, done);
    });
    return undefined;
  }
}
