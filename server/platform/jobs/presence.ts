import pg from 'pg';
import { connectionConfig } from '../db';
import { log } from '../log';

const SCAN_EVERY_MS = 5_000;
/** The advisory lock that stands for a job runner, as SQL over a column or parameter with its id. */
const lockOf = (id: string) => `hashtextextended('upwatch-job-runner:' || ${id}, 0)`;

/**
 * Gives the jobs of a killed process back within some ten seconds; the queue's own limit is four hours. Every runner
 * of a living process holds an advisory lock, which PostgreSQL drops with the process's connection: a job whose
 * runner's lock is free in two scans in a row is unlocked.
 */
export class Presence {
  private readonly runners = new Set<string>();
  private suspects = new Set<string>();
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private working: Promise<void> = Promise.resolve();
  private stopped = false;

  start(): void {
    this.next(0);
  }

  /** A runner came to life in this process. */
  add(runner: string): void {
    this.runners.add(runner);
    this.query(`select pg_advisory_lock(${lockOf('$1')})`, [runner]);
  }

  /** A runner of this process is gone; what it left locked is given back like that of a killed process. */
  remove(runner: string): void {
    if (!this.runners.delete(runner)) return;
    this.query(`select pg_advisory_unlock(${lockOf('$1')})`, [runner]);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.working;
    await this.client?.end().catch(() => undefined);
  }

  private next(wait: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.working = this.scan()
        .catch((error: unknown) => log.warn({ err: error }, 'Could not look for jobs of dead workers, trying again'))
        .then(() => this.next(SCAN_EVERY_MS));
    }, wait);
  }

  /** Without a connection there is nothing to do: connecting takes the locks of every runner there is by then. */
  private query(text: string, values: unknown[]): void {
    this.client?.query(text, values).catch((error: unknown) => log.warn({ err: error }, 'A job runner’s lock failed'));
  }

  private async connected(): Promise<pg.Client> {
    if (this.client) return this.client;
    const { connectionString, options, connectionTimeoutMillis } = connectionConfig(1);
    const client = new pg.Client({ connectionString, options, connectionTimeoutMillis, keepAlive: true });
    client.on('error', (error) => log.warn({ err: error }, 'The connection that keeps job runners alive broke'));
    client.once('end', () => {
      if (this.client === client) this.client = null;
    });
    await client.connect();
    this.client = client;
    const runners = [...this.runners];
    await client.query(`select pg_advisory_lock(${lockOf('id')}) from unnest($1::text[]) as id`, [runners]);
    return client;
  }

  private async scan(): Promise<void> {
    const client = await this.connected();
    const { rows } = await client.query<{ id: string; free: boolean }>(
      `select id, pg_try_advisory_xact_lock(${lockOf('id')}) as free
       from (
         select distinct locked_by as id from graphile_worker.jobs
         where locked_by is not null and locked_by <> all($1::text[])
       ) as others`,
      [[...this.runners]],
    );
    const absent = rows.filter(({ id, free }) => free && !this.runners.has(id)).map(({ id }) => id);
    const dead = absent.filter((id) => this.suspects.has(id));
    this.suspects = new Set(absent);
    if (dead.length === 0) return;
    log.warn({ runners: dead }, 'Giving back the jobs of workers that are gone');
    await client.query('select graphile_worker.force_unlock_workers($1::text[])', [dead]);
  }
}
