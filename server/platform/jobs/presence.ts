import type pg from 'pg';
import { DatabaseClient } from '../database/database-client';
import { watchConnection } from '../database/watch-connection';
import { connectionConfig } from '../db';
import { log } from '../log';

const SCAN_EVERY_MS = 5_000;
/** The key of a job runner's advisory lock, as SQL over a column or parameter with its ID. */
const lockOf = (id: string) => `hashtextextended('upwatch-job-runner:' || ${id}, 0)`;

/**
 * Releases the jobs of a killed process within about 10 s; the queue's own limit is four hours. Every runner of a living process holds an advisory
 * lock, which PostgreSQL drops with the process's connection: a job whose runner's lock is free in two consecutive scans is released.
 */
export class Presence {
  private readonly runners = new Set<string>();
  /** The runners whose locks the current connection holds. */
  private readonly held = new Set<string>();
  private suspects = new Set<string>();
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private working: Promise<void> = Promise.resolve();
  private stopped = false;

  start(): void {
    this.scanIn(0);
  }

  /** Registers a runner of this process. */
  add(runner: string): void {
    this.runners.add(runner);
    this.inTurn(() => this.syncLocks());
  }

  /** Removes a runner of this process; its locked jobs are released like those of a killed process. */
  remove(runner: string): void {
    this.runners.delete(runner);
    this.inTurn(() => this.syncLocks());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.working;
    await this.client?.end().catch(() => undefined);
  }

  /** Runs `work` after earlier work, because a connection runs one query at a time. Logs an error. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.working = this.working
      .then(work)
      .catch((error: unknown) => log.warn({ err: error }, 'Could not keep watch over job runners, trying again'));
    return this.working;
  }

  private scanIn(wait: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.inTurn(() => this.scan()).then(() => this.scanIn(SCAN_EVERY_MS));
    }, wait);
  }

  private async connect(): Promise<pg.Client> {
    const { max: _max, idleTimeoutMillis: _idle, ...config } = connectionConfig(1);
    const client = new DatabaseClient({ ...config, keepAlive: true });
    client.on('error', (error) => log.warn({ err: error }, 'The connection that keeps job runners alive broke'));
    client.once('end', () => {
      this.client = null;
      this.held.clear();
    });
    await client.connect();
    await watchConnection(client, config);
    this.client = client;
    return client;
  }

  /**
   * Takes the locks of new runners, and releases those of removed ones. Does nothing without a connection, because the next scan opens one and takes
   * all locks.
   */
  private async syncLocks(): Promise<void> {
    const { client } = this;
    if (!client) return;
    for (const runner of this.runners) {
      if (this.held.has(runner)) continue;
      await client.query(`select pg_advisory_lock(${lockOf('$1')})`, [runner]);
      this.held.add(runner);
    }
    for (const runner of this.held) {
      if (this.runners.has(runner)) continue;
      await client.query(`select pg_advisory_unlock(${lockOf('$1')})`, [runner]);
      this.held.delete(runner);
    }
  }

  /** Releases the jobs of runners whose locks were free in this scan and the previous one. */
  private async scan(): Promise<void> {
    const client = this.client ?? (await this.connect());
    await this.syncLocks();
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
