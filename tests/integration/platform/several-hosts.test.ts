import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Connections } from '@/server/platform/database/connections';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { DatabaseClient } from '@/server/platform/database/database-client';
import { until } from '@/tests/support/receivers';
import { type ReplicatedPostgres, replicatedPostgres } from '@/tests/support/replicated-postgres';

let servers: ReplicatedPostgres;
let ports: { primary: number; standby: number };

const portOf = (url: string) => Number(new URL(url).port);

beforeAll(async () => {
  servers = await replicatedPostgres();
  ports = { primary: portOf(servers.primary), standby: portOf(servers.standby) };
});
afterAll(() => servers?.remove());

/** The port of the server that a new connection leads to. */
async function serverOf(connectionString: string): Promise<number> {
  const client = new DatabaseClient({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ port: number }>('select inet_server_port() as port');
    return rows[0]?.port ?? 0;
  } finally {
    await client.end();
  }
}

const hosts = (...numbers: number[]) => numbers.map((port) => `127.0.0.1:${port}`).join(',');
/** Each has its own memory of the primary, as another process has. */
const urlOf = (list: string, name: string) => `postgresql://upwatch:upwatch@${list}/upwatch?application_name=${name}`;

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const client = new DatabaseClient({ connectionString: servers.primary });
  await client.connect();
  await client.query(`alter system set default_transaction_read_only = ${value}`);
  await client.query('select pg_reload_conf()');
  // The reload takes effect after this connection's statement.
  await until(
    async () =>
      (await client.query('show default_transaction_read_only')).rows[0]?.default_transaction_read_only === value,
  );
  await client.end();
}

describe('a database URL with several hosts', () => {
  it('leads to the primary, whatever its position, and past a host that is down', async () => {
    expect(await serverOf(servers.url)).toBe(ports.primary);
    expect(await serverOf(urlOf(hosts(ports.standby, ports.primary), 'second'))).toBe(ports.primary);
    expect(await serverOf(urlOf(hosts(1, ports.standby, ports.primary), 'third'))).toBe(ports.primary);
  });

  it('fails as an unavailable database if none is a primary, and names each host', async () => {
    const failure = await serverOf(urlOf(hosts(1, ports.standby), 'none')).catch((error: Error) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    expect(String(failure)).toContain('127.0.0.1:1: connect ECONNREFUSED');
    expect(String(failure)).toContain(`127.0.0.1:${ports.standby}: is a standby`);
  });

  it('rejects a single host that is a standby if it asks for one that accepts writes', async () => {
    await expect(serverOf(`${servers.standby}?target_session_attrs=read-write`)).rejects.toThrow('is a standby');
    expect(await serverOf(servers.standby)).toBe(ports.standby);
  });

  it('leaves a known primary that has become read-only', async () => {
    const url = urlOf(hosts(ports.primary, ports.standby), 'demoted');
    expect(await serverOf(url)).toBe(ports.primary);
    await setReadOnly('on');
    try {
      await expect(serverOf(url)).rejects.toThrow(`The database at 127.0.0.1:${ports.primary} is a standby now`);
      await expect(serverOf(url)).rejects.toThrow('No host of DATABASE_URL is a primary');
    } finally {
      await setReadOnly('off');
    }
    expect(await serverOf(url)).toBe(ports.primary);
  });

  it('follows a promotion while the former primary hangs, and does not return to it when it goes on', async () => {
    const pool = new Connections({ Client: DatabaseClient, connectionString: servers.url, max: 4 });
    onTestFinished(() => pool.end());
    const ask = async () => (await pool.query<{ port: number }>('select inet_server_port() as port')).rows[0]?.port;
    expect(await ask()).toBe(ports.primary);
    servers.signalPrimary('SIGSTOP');
    const failure = await ask().catch((error: Error) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    await servers.promote();
    await until(
      async () => (await ask().catch(() => null)) === ports.standby,
      15_000,
      'A connection to the new primary',
    );
    servers.signalPrimary('SIGCONT');
    // In the order of the list, a client that takes the first server that accepts writes would write to the former primary.
    expect(await serverOf(servers.primary)).toBe(ports.primary);
    expect(await serverOf(servers.url)).toBe(ports.standby);
    expect(await serverOf(urlOf(hosts(ports.primary, ports.standby), 'later'))).toBe(ports.standby);
  }, 60_000);

  it('never returns to a replaced primary, not even if it is the only one that answers', async () => {
    const url = urlOf(hosts(ports.primary, ports.standby), 'memory');
    expect(await serverOf(url)).toBe(ports.standby);
    servers.signalPrimary('SIGKILL');
    await servers.restartPrimary();
    await servers.stopStandby();
    expect(await serverOf(servers.primary)).toBe(ports.primary);
    // The first connection that fails makes the process look for another primary.
    await expect(serverOf(url)).rejects.toThrow('ECONNREFUSED');
    await expect(serverOf(url)).rejects.toThrow(`127.0.0.1:${ports.primary}: was replaced by another primary`);
  });
});
