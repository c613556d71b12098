import { expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { patientPool } from '@/server/platform/jobs/patient-pool';

it('survives an idle connection that breaks while no runner listens', async () => {
  const stop = new AbortController();
  const pool = patientPool(1, stop.signal);
  try {
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const removed = new Promise((resolve) => pool.once('remove', resolve));
    await db.$queryRaw`select pg_terminate_backend(${rows[0]?.pid}::int)`;
    await removed;
    expect((await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid).not.toBe(rows[0]?.pid);
  } finally {
    stop.abort();
    await pool.end();
  }
});
