import { expect, it } from 'vitest';
import { Connections } from '@/server/platform/database/connections';
import { testDatabase } from '@/tests/support/database';

/** Keeps this process from its sockets and timers most of the time. */
function keepBusy(): () => void {
  const busy = setInterval(() => {
    for (const end = performance.now() + 700; performance.now() < end; );
  }, 1);
  return () => clearInterval(busy);
}

it('keeps an open transaction while the process is slow and the database answers', async () => {
  const connections = new Connections({ connectionString: testDatabase(), max: 2 });
  const client = await connections.connect();
  await client.query('begin');
  await client.query('create temporary table kept (id int)');
  const working = client.query('insert into kept select 1 from pg_sleep(12)');
  const stop = keepBusy();
  try {
    await working;
    await client.query('commit');
    expect((await client.query('select id from kept')).rows).toEqual([{ id: 1 }]);
  } finally {
    stop();
    client.release();
    await connections.end();
  }
}, 60_000);
