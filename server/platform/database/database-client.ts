import type { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseUnreachableError } from './database-away';
import { mayBeStandby, urlsOfHosts } from './database-url';
import { type Host, Primary } from './primary';

/** The parameters by which a server says, at the start of a connection and on changes, that it accepts no writes. */
const READ_ONLY = ['in_hot_standby', 'default_transaction_read_only'];
/** SQLSTATEs of a server that stops or starts. After any other error, such as too many connections, the server is still the primary. */
const AWAY = /^(08|57P)/;

/** Fields of the driver that its types omit. */
interface Internals {
  connection: NodeJS.EventEmitter & { stream: Socket };
}

type Connected = (error: Error | null) => void;

/**
 * A client of the driver whose URL may list several hosts, as in libpq; it connects to the one that is the primary. `pg` knows one host only, and
 * ignores `target_session_attrs`. All connections to the database are of this class.
 */
export class DatabaseClient extends pg.Client {
  private readonly primary: Primary | null;

  constructor(config: pg.ClientConfig = {}) {
    const { connectionString = '' } = config;
    const [first = ''] = urlsOfHosts(connectionString);
    super({ ...config, connectionString: first });
    this.primary = mayBeStandby(connectionString) ? Primary.of(connectionString) : null;
    // A broken connection fails the statement that uses it. While none does, as between connecting and the pool's first look at it, the process would
    // end without a listener.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.Client> | undefined {
    const connecting = this.primary ? this.connectTo(this.primary) : super.connect();
    if (!connected) return connecting.then(() => this);
    connecting.then(() => connected(null), connected);
    return undefined;
  }

  private async connectTo(primary: Primary): Promise<void> {
    const host = await primary.find();
    const { connection } = this as unknown as Internals;
    // The caller closed this client while the primary was searched for.
    if (connection.stream.destroyed) throw new Error('Connection terminated');
    let isReadOnly = false;
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (READ_ONLY.includes(parameterName)) isReadOnly ||= parameterValue === 'on';
    });
    Object.assign(this, { host: host.host, port: host.port });
    try {
      await super.connect();
    } catch (error) {
      if (isAway(error)) primary.forget(host);
      throw error;
    }
    if (!isReadOnly) return;
    primary.forget(host);
    await this.end().catch(() => undefined);
    throw standbyError(host);
  }
}

function isAway(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || AWAY.test(error.code ?? '');
}

function standbyError({ host, port }: Host): Error {
  return new DatabaseUnreachableError(`The database at ${host}:${port} is a standby now`);
}
