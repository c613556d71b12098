import pg from 'pg';
import { DatabaseUnreachableError } from './database-away';
import { urlsOfHosts } from './database-url';

/** The time limit for a host to answer. */
const ANSWERS_WITHIN_MS = 3_000;
/** How long the other hosts may take once one has answered that it is a primary. */
const OTHERS_WITHIN_MS = 1_000;

/** A host of a database URL. */
export interface Host {
  host: string;
  port: number;
}

/** A primary and its timeline, which each promotion of a standby increases. */
interface Found extends Host {
  timeline: number;
}

const nameOf = ({ host, port }: Host) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Asks one host whether it is a primary, and for its timeline.
 * @throws Error with a displayable reason if it is not, or does not answer
 */
async function ask(url: string): Promise<Found> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'upwatch-primary',
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  });
  client.on('error', () => undefined);
  const { host, port } = client;
  try {
    await client.connect();
    const { rows } = await client.query<{ read_only: boolean; timeline: string | null }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only,
         case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
    );
    if (rows[0]?.read_only) throw new Error('is a standby');
    return { host, port, timeline: Number.parseInt(rows[0]?.timeline ?? '0', 16) };
  } catch (error) {
    throw new Error(`${nameOf({ host, port })}: ${error instanceof Error ? error.message : error}`, { cause: error });
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Resolves a moment after the first host has answered that it is a primary, or when all have answered. */
async function untilEnough(asked: Promise<Found>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const others = () =>
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, OTHERS_WITHIN_MS);
    });
  const first = Promise.any(asked).then(others, () => undefined);
  await Promise.race([first, Promise.allSettled(asked)]);
  clearTimeout(timer);
}

/** Finds the primary among the hosts of a database URL, and remembers it until a connection to it fails. One per process and URL. */
export class Primary {
  private static readonly ofUrl = new Map<string, Primary>();
  private known: Found | null = null;
  private finding: Promise<Host> | null = null;
  /** The highest timeline seen. A primary with an earlier one was replaced: it may accept writes again after a restart, but they would be lost. */
  private timeline = 0;

  private constructor(private readonly urls: string[]) {}

  static of(databaseUrl: string): Primary {
    const kept = Primary.ofUrl.get(databaseUrl) ?? new Primary(urlsOfHosts(databaseUrl));
    Primary.ofUrl.set(databaseUrl, kept);
    return kept;
  }

  /**
   * Returns the host of the primary: the known one, or else, of all hosts that accept writes, the one with the latest timeline.
   * @throws DatabaseUnreachableError if there is none
   */
  async find(): Promise<Host> {
    if (this.known) return this.known;
    this.finding ??= this.askAll().finally(() => {
      this.finding = null;
    });
    return this.finding;
  }

  /** Forgets a host, so that the primary is searched for again. Called when a connection to it failed, or it is a standby. */
  forget(host: Host): void {
    if (this.known === host) this.known = null;
  }

  private async askAll(): Promise<Host> {
    const found: Found[] = [];
    const reasons: string[] = [];
    const asked = this.urls.map(ask);
    for (const each of asked) {
      each.then(
        (one) => found.push(one),
        (error: Error) => reasons.push(error.message),
      );
    }
    await untilEnough(asked);
    for (const one of found) {
      if (one.timeline < this.timeline) reasons.push(`${nameOf(one)}: was replaced by another primary`);
      else if (!this.known || one.timeline > this.known.timeline) this.known = one;
    }
    if (!this.known) throw new DatabaseUnreachableError(`No host of DATABASE_URL is a primary (${reasons.join('; ')})`);
    this.timeline = this.known.timeline;
    return this.known;
  }
}
