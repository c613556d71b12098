import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { DatabaseClient } from './database/database-client';
import { watchConnection } from './database/watch-connection';
import { connectionConfig, type Db, isAutocommit, type Tx } from './db';
import { Prisma } from './generated/prisma/client';
import { log } from './log';

/** A change of a team's data, after which open pages reload it. */
export interface LiveEvent {
  team: string;
  kind: 'monitor' | 'incident' | 'channel' | 'on-call' | 'status-page';
  ids: string[];
}

interface Events {
  live: [LiveEvent];
  /** A user's permissions changed, or one of their sessions ended, so their event streams have to be authorized again. */
  access: [userId: string];
  /** A user changed this team's status pages or their content. */
  statusPages: [teamId: string];
  /** A monitor was created or edited: workers read the schedule again. */
  schedule: [];
  /** Another version has migrated the database. */
  compatibility: [];
  /** The connection was restored after a loss, so events may have been missed. */
  resumed: [];
}

const LIVE = 'upwatch';
const ACCESS = 'upwatch_access';
const STATUS_PAGES = 'upwatch_status_pages';
const SCHEDULE = 'upwatch_schedule';
/** Sent by prisma/migrate.ts. */
const COMPATIBILITY = 'upwatch_compatibility';
/** PostgreSQL caps a notification's payload at 8,000 bytes; a ULID in JSON takes 29. */
const IDS_PER_NOTIFICATION = 200;
const ASK_EVERY_MS = 15_000;

/** Notifies every process, when `tx` commits, that data of a team changed. */
export async function notify(tx: Tx, event: LiveEvent): Promise<void> {
  const parts: string[] = [];
  for (let start = 0; start < event.ids.length; start += IDS_PER_NOTIFICATION) {
    parts.push(JSON.stringify({ ...event, ids: event.ids.slice(start, start + IDS_PER_NOTIFICATION) }));
  }
  if (parts.length === 0) return;
  // Raw: NOTIFY. It does not wait for the disk: a crash of the database loses every notification anyway.
  await tx.$executeRaw`
    select pg_notify(${LIVE}, part), case when ${isAutocommit(tx)} then set_config('synchronous_commit', 'off', true) end
    from unnest(${parts}::text[]) as part`;
}

/**
 * Returns an SQL column for a statement that writes results: it notifies the open pages of the teams that have any, when the statement commits. Sends
 * nothing for other teams, because a notification costs every listening process time.
 * @param monitors rows with `monitor_id` and `team_id`; a monitor may have several
 */
export const notifyWatchers = (monitors: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  select count(pg_notify(${LIVE}, json_build_object('team', team_id, 'kind', 'monitor', 'ids', ids)::text)) from (
    select team_id, json_agg(monitor_id) as ids from (
      select monitor_id, team_id, (row_number() over (partition by team_id) - 1) / ${IDS_PER_NOTIFICATION}::int as part
      from (
        select distinct monitor_id, team_id from ${monitors}
        where team_id in (select watcher.team_id from live_watchers watcher where watcher.until > now())
      ) as watched
    ) as parts group by team_id, part
  ) as events
)`;

/** Notifies every process, when `tx` commits, that these users' permissions may have shrunk. */
export async function notifyAccess(tx: Db, userIds: string[]): Promise<void> {
  // Raw: NOTIFY.
  await tx.$executeRaw`select pg_notify(${ACCESS}, id) from unnest(${userIds}::text[]) as id`;
}

/**
 * Notifies every web process, when `tx` commits, that the snapshots of a team's status pages are outdated.
 * @param ids the pages whose editors are outdated too
 */
export async function notifyStatusPages(tx: Tx, team: string, ids: string[] = []): Promise<void> {
  // Raw: NOTIFY.
  await tx.$executeRaw`select pg_notify(${STATUS_PAGES}, ${team})`;
  await notify(tx, { team, kind: 'status-page', ids });
}

/** Notifies the workers, when `tx` commits, that the schedule changed. */
export async function notifySchedule(tx: Tx): Promise<void> {
  // Raw: NOTIFY.
  await tx.$executeRaw`select pg_notify(${SCHEDULE}, '')`;
}

/** Sends a statement over a listening connection every 15 s, because a lost connection is detected only while a statement waits for a response. */
function keepAsking(client: pg.Client): NodeJS.Timeout {
  let isWaiting = false;
  return setInterval(async () => {
    if (isWaiting) return;
    isWaiting = true;
    await client.query('select 1').catch(() => undefined);
    isWaiting = false;
  }, ASK_EVERY_MS);
}

/** The listening connection of this process, opened by the first listener and reopened when it breaks. */
class Listener {
  readonly events = new EventEmitter<Events>().setMaxListeners(0);
  private client: pg.Client | null = null;
  private starting: Promise<void> | null = null;
  private stopped = false;

  start(): Promise<void> {
    this.stopped = false;
    this.starting ??= this.connect(false);
    return this.starting;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.starting = null;
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private async connect(resumed: boolean): Promise<void> {
    for (let wait = 250; !this.stopped; wait = Math.min(wait * 2, 5_000)) {
      const { max: _max, idleTimeoutMillis: _idle, ...config } = connectionConfig(1);
      const client = new DatabaseClient({ ...config, keepAlive: true });
      try {
        client.on('notification', ({ channel, payload }) => this.hear(channel, payload ?? ''));
        client.on('error', (error) => log.warn({ err: error }, 'The listening connection broke'));
        await client.connect();
        await watchConnection(client, config);
        const channels = [LIVE, ACCESS, STATUS_PAGES, SCHEDULE, COMPATIBILITY];
        await client.query(channels.map((channel) => `listen ${channel}`).join('; '));
        const asking = keepAsking(client);
        client.once('end', () => {
          clearInterval(asking);
          this.lost(client);
        });
        this.client = client;
        if (resumed) this.events.emit('resumed');
        return;
      } catch (error) {
        log.warn({ err: error, wait }, 'Could not listen for changes, trying again');
        await client.end().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, wait));
        resumed = true;
      }
    }
  }

  private lost(client: pg.Client): void {
    if (this.client !== client || this.stopped) return;
    this.client = null;
    this.starting = this.connect(true);
  }

  private hear(channel: string, payload: string): void {
    if (channel === SCHEDULE) this.events.emit('schedule');
    else if (channel === COMPATIBILITY) this.events.emit('compatibility');
    else if (channel === ACCESS) this.events.emit('access', payload);
    else if (channel === STATUS_PAGES) this.events.emit('statusPages', payload);
    else this.events.emit('live', JSON.parse(payload) as LiveEvent);
  }
}

const kept = globalThis as typeof globalThis & { upwatchListener?: Listener };

function listener(): Listener {
  kept.upwatchListener ??= new Listener();
  return kept.upwatchListener;
}

/**
 * Calls `handler` for every event of a kind. Resolves once the process listens. After `resumed`, events may have been missed.
 * @returns a function that removes the handler
 */
export async function listen<K extends keyof Events>(
  kind: K,
  handler: (...args: Events[K]) => void,
): Promise<() => void> {
  const { events } = listener();
  const heard = handler as (...args: unknown[]) => void;
  events.on(kind as 'live', heard);
  await listener().start();
  return () => events.off(kind as 'live', heard);
}

/** Closes the listening connection when the process ends. */
export async function stopListening(): Promise<void> {
  await listener().stop();
}
