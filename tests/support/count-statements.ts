import pg from 'pg';
import { vi } from 'vitest';

/** The number of statements that this process sends to the database during `work`, those of its transactions included. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return sent.mock.calls.length;
  } finally {
    sent.mockRestore();
  }
}
