import pg from 'pg';
import { vi } from 'vitest';
import { db, type Tx } from '@/server/platform/db';

/** Methods of the driver that its types omit. */
const query = (pg as unknown as { Query: { prototype: { handleDataRow: (row: { length: number }) => void } } }).Query
  .prototype;

/** The size in bytes of the rows that this process receives from the database during `work`. */
export async function receivedBytes(work: () => Promise<unknown>): Promise<number> {
  const received = vi.spyOn(query, 'handleDataRow');
  try {
    await work();
    return received.mock.calls.reduce((sum, [row]) => sum + row.length, 0);
  } finally {
    received.mockRestore();
  }
}

/** The number of rows of a table that the database reads for the statements of `work`. */
export function readRows(table: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return db.$transaction(async (tx) => {
    const read = async () => {
      const [row] = await tx.$queryRaw<{ rows: bigint }[]>`
        select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables where relname = ${table}`;
      return Number(row?.rows ?? 0);
    };
    // Also has what earlier transactions of the connection read in the last second: PostgreSQL reports its counts at most once a second.
    const before = await read();
    await work(tx);
    return (await read()) - before;
  });
}
