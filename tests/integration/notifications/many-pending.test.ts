import { afterAll, beforeAll, expect, it } from 'vitest';
import { claim } from '@/server/notifications/deliveries/claim';
import { queueChannels } from '@/server/notifications/deliveries/queue-queries';
import { db } from '@/server/platform/db';
import { newTeam, newWebhook } from './support';

const PENDING = 4_000;
const DUE = 20_000;
/** How often to measure, as if for this many messages in sequence. */
const TIMES = 20;
let teamId: string;
let channelId: string;

/** The database's statistics expect few pending rows, as after days without incidents, and then there are thousands. */
beforeAll(async () => {
  const ctx = await newTeam();
  teamId = ctx.team.id;
  ({ id: channelId } = await newWebhook(ctx, 'https://example.com/a'));
  await db.$executeRaw`
    insert into incidents (id, team_id, type, status, started_at, cause)
    select 'incident' || i, ${teamId}, 'downtime', 'open', now(), 'HTTP 503' from generate_series(1, ${PENDING}::int) i`;
  const write = (
    id: string,
    status: string,
    count: number,
    { waits, incident = '' }: { waits: string; incident?: string },
  ) =>
    db.$executeRaw`
      insert into deliveries (id, team_id, channel_id, incident_id, event, event_key, payload, status, next_attempt_at)
      select ${id} || i, ${teamId}, ${channelId}, nullif(${incident}, '') || i, 'incident.opened', ${id} || i, '{}',
        ${status}::delivery_status, now() + ${waits}::interval
      from generate_series(1, ${count}::int) i`;
  await db.$executeRaw`alter table deliveries set (autovacuum_enabled = false)`;
  await write('old', 'delivered', 30_000, { waits: '0' });
  await db.$executeRaw`analyze deliveries`;
  await write('first', 'pending', PENDING, { waits: '1 h', incident: 'incident' });
  await write('later', 'pending', PENDING, { waits: '-1 s', incident: 'incident' });
  await write('due', 'pending', DUE, { waits: '0' });
}, 60_000);
afterAll(async () => {
  await db.delivery.deleteMany({ where: { teamId } });
  await db.$executeRaw`alter table deliveries reset (autovacuum_enabled)`;
});

it.each<[string, () => Promise<unknown>]>([
  [
    'to queue their channel',
    async () => {
      for (let time = 0; time < TIMES; time += 1) await db.$transaction((tx) => queueChannels(tx, [channelId], 'now'));
    },
  ],
  [
    'to claim those whose incidents have later ones',
    async () => {
      const turn = await claim(channelId);
      expect(turn?.claims.map(({ id }) => id.replace(/\d/g, ''))).toEqual(Array(100).fill('first'));
    },
  ],
])(
  'does not scan thousands of pending deliveries for each: %s',
  async (_, work) => {
    const began = performance.now();
    await work();
    expect(performance.now() - began).toBeLessThan(1_000);
  },
  60_000,
);
