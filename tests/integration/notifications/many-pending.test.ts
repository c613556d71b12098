import { afterAll, beforeAll, expect, it } from 'vitest';
import { expeditePredecessor } from '@/server/notifications/deliveries/attempt-deliveries';
import { claimDeliveries } from '@/server/notifications/deliveries/delivery-queries';
import { prioritiesOf } from '@/server/notifications/deliveries/queue-deliveries';
import { db } from '@/server/platform/db';
import { newTeam, newWebhook } from './support';

const PENDING = 4_000;
const DUE = 20_000;
/** How often to measure, as if for this many messages in sequence. */
const TIMES = 20;
const ids = Array.from({ length: 25 }, (_, index) => `later${index + 1}`);
let teamId: string;

/** The database's statistics expect few pending rows, as after days without incidents, and then there are thousands. */
beforeAll(async () => {
  const ctx = await newTeam();
  teamId = ctx.team.id;
  const { id: channelId } = await newWebhook(ctx, 'https://example.com/a');
  const write = (id: string, status: string, count: number, after: string | null) => db.$executeRaw`
    insert into deliveries (id, team_id, channel_id, event, event_key, payload, status, next_attempt_at, after_id)
    select ${id} || i, ${teamId}, ${channelId}, 'incident.opened', ${id} || i, '{}', ${status}::delivery_status,
      now() + (case when ${after}::text is null then interval '1 h' else '0' end), ${after} || i
    from generate_series(1, ${count}::int) i`;
  await db.$executeRaw`alter table deliveries set (autovacuum_enabled = false)`;
  await write('old', 'delivered', 30_000, null);
  await db.$executeRaw`analyze deliveries`;
  await write('first', 'pending', PENDING, null);
  await write('later', 'pending', PENDING, 'first');
  await write('due', 'pending', DUE, null);
  await db.$executeRaw`update deliveries set next_attempt_at = now() where id like 'due%'`;
}, 60_000);
afterAll(async () => {
  await db.delivery.deleteMany({ where: { teamId } });
  await db.$executeRaw`alter table deliveries reset (autovacuum_enabled)`;
});

it.each<[string, () => Promise<unknown>]>([
  [
    'to count pending deliveries',
    async () => {
      for (let time = 0; time < TIMES; time += 1) await db.$transaction((tx) => prioritiesOf(tx, ids));
    },
  ],
  ['to claim one', () => claimDeliveries(ids)],
  ['to expedite its predecessor', () => expeditePredecessor(ids, async () => undefined)],
])(
  'does not scan thousands of pending deliveries for each: %s',
  async (_, work) => {
    const began = performance.now();
    await work();
    expect(performance.now() - began).toBeLessThan(1_000);
  },
  60_000,
);
