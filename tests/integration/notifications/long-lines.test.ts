import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createChannel } from '@/server/notifications/create-channel';
import { claim } from '@/server/notifications/deliveries/claim';
import { claimDue, readDestination } from '@/server/notifications/deliveries/claim-queries';
import { makeAllDue, makeRestDue } from '@/server/notifications/deliveries/make-all-due';
import { queueChannels } from '@/server/notifications/deliveries/queue-queries';
import { weekdays } from '@/server/notifications/rules/rules';
import { db } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import { readRows } from '@/tests/support/database-traffic';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';
import { deliver, newTeam, newWebhook, openedEvent } from './support';

/** The events of an incident that is reopened, acknowledged and resolved for half an hour, as often as the rate limit allows. */
const EVENTS = 6_000;

let ctx: TeamContext;
let receiver: HttpReceiver;

beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  ctx = await newTeam();
});

/** Makes events of one incident due at once, as at the end of quiet hours. */
async function writeLine(channelId: string): Promise<void> {
  const { incidentId, event, data } = await openedEvent(ctx);
  const payload = { type: event, timestamp: new Date().toISOString(), data };
  await db.$executeRaw`
    insert into deliveries (id, team_id, channel_id, incident_id, event, event_key, payload, status, next_attempt_at)
    select ${incidentId} || i, ${ctx.team.id}, ${channelId}, ${incidentId}, ${event}, ${incidentId} || i, ${JSON.stringify(payload)}::jsonb,
      'pending', now() from generate_series(1, ${EVENTS}::int) i`;
}

const waiting = (channelId: string) =>
  db.delivery.findMany({ where: { channelId, status: 'pending' }, orderBy: { seq: 'asc' } });

it('claims the first thousands of a line for one message, and lets the others wait behind them', async () => {
  const config = { webhookUrl: `${receiver.url}/chat` };
  const { id: channelId } = await createChannel({ ctx, input: { type: 'discord', name: 'Chat', config } });
  await writeLine(channelId);
  const line = await waiting(channelId);
  const turn = await claim(channelId);
  expect(turn?.claims.map(({ id }) => id)).toEqual(line.slice(0, 3_000).map(({ id }) => id));
  const behind = (await waiting(channelId)).slice(3_000);
  expect(behind.filter(({ nextAttemptAt }) => nextAttemptAt !== null)).toHaveLength(0);
});

it('holds thousands of due messages in quiet hours in slices of 5,000, one after the other', async () => {
  const config = { webhookUrl: `${receiver.url}/chat` };
  const { id: channelId } = await createChannel({ ctx, input: { type: 'discord', name: 'Chat', config } });
  await writeLine(channelId);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const quietHours = { timezone: 'UTC', days: [...weekdays], from: at(-1), to: at(1), sendsCritical: false };
  await db.channel.update({ where: { id: channelId }, data: { quietHours } });
  const due = () => db.delivery.count({ where: { channelId, nextAttemptAt: { lte: new Date() } } });
  expect(await claim(channelId)).toBeNull();
  expect(await due()).toBe(EVENTS - 5_000);
  expect(await claim(channelId)).toBeNull();
  expect(await due()).toBe(0);
});

it('makes only the next delivery of a line due when one is final', async () => {
  const { id: channelId } = await newWebhook(ctx, receiver.url);
  await writeLine(channelId);
  await deliver(channelId);
  await deliver(channelId);
  const line = await waiting(channelId);
  expect(line).toHaveLength(EVENTS - 2);
  const due = line.filter(({ nextAttemptAt }) => nextAttemptAt !== null);
  expect(due.map(({ id }) => id)).toEqual([line[0]?.id]);
});

it('claims the first of a line without reading those that are final or wait behind it', async () => {
  const { id: channelId } = await newWebhook(ctx, receiver.url);
  await writeLine(channelId);
  await db.$executeRaw`
    update deliveries set next_attempt_at = null, status = (case when seq % 2 = 0 then 'delivered' else 'pending' end)::delivery_status
    where channel_id = ${channelId}`;
  const [first, , third] = await waiting(channelId);
  await db.delivery.update({ where: { id: third?.id ?? '' }, data: { nextAttemptAt: new Date(0) } });
  // Also removes the versions of before the update, which would be read while any transaction may still see them.
  await db.$executeRaw`vacuum (analyze) deliveries`;
  const read = await readRows('deliveries', async (tx) => {
    // As for a table with millions of other deliveries.
    await tx.$executeRaw`set local enable_seqscan = off`;
    const destination = await readDestination(tx, channelId, { lock: true });
    if (!destination) throw new Error('There is no such channel.');
    const claims = await claimDue(tx, destination, { isGroup: false, most: 100, passing: 'all' });
    expect(claims.map(({ id }) => id)).toEqual([first?.id]);
    await queueChannels(tx, [channelId], 'now');
  });
  expect(read).toBeLessThan(100);
  expect((await db.delivery.findUnique({ where: { id: third?.id ?? '' } }))?.nextAttemptAt).toBeNull();
});

it('makes thousands of held messages due in slices of 5,000, each once', async () => {
  const { id: channelId } = await newWebhook(ctx, receiver.url);
  await writeLine(channelId);
  const hold = { hold: 'quiet_hours', nextAttemptAt: new Date(Date.now() + 3_600_000) } as const;
  await db.delivery.updateMany({ where: { channelId }, data: hold });
  const due = () => db.delivery.count({ where: { channelId, nextAttemptAt: { lte: new Date() } } });
  await db.$transaction((tx) => makeAllDue(tx, channelId, { heldOnly: true }));
  expect(await due()).toBe(5_000);
  const [job] = await db.$queryRaw<{ payload: { channelId: string; heldOnly: boolean; afterSeq: string } }[]>`
    select payload from graphile_worker._private_jobs where key = ${`make-due:${channelId}:true`}`;
  if (!job) throw new Error('The rest is not queued.');
  // The first ones are held again meanwhile.
  await db.delivery.updateMany({ where: { channelId, nextAttemptAt: { lte: new Date() } }, data: hold });
  await runJob(makeRestDue, job.payload);
  expect(await due()).toBe(EVENTS - 5_000);
});
