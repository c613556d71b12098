import { OwnError } from '../own-error';
import { shortClient } from './short-client';

/** The database allows too few connections; one displayable line. */
export class ConnectionsError extends OwnError {
  static override readonly kind: string = 'ConnectionsError';
}

/**
 * Verifies that a database allows this many concurrent connections, by opening them. A pooler with fewer would block the others indefinitely, and
 * checks with them.
 * @throws ConnectionsError if it allows fewer
 */
export async function assertConnections(databaseUrl: string, wanted: number): Promise<void> {
  const clients = Array.from({ length: wanted }, () => shortClient(databaseUrl));
  const opened = await Promise.allSettled(
    clients.map(async (client) => {
      await client.connect();
      await client.query('select 1');
    }),
  );
  await Promise.allSettled(clients.map((client) => client.end()));
  const given = opened.filter(({ status }) => status === 'fulfilled').length;
  if (given === wanted) return;
  throw new ConnectionsError(
    `The database at DATABASE_URL gave ${given} connections at once, and ${wanted} are needed: raise its max_connections, or the pool of the pooler before it (PgBouncer: default_pool_size).`,
  );
}
