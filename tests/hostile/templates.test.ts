import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChannel } from '@/server/notifications/create-channel';
import { attemptDeliveries } from '@/server/notifications/deliveries/attempt-deliveries';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { scheduleRetries } from '@/server/notifications/deliveries/queue-deliveries';
import { PreviewMessageInput } from '@/server/notifications/schema';
import { previewMessage } from '@/server/notifications/templates/preview-message';
import { db } from '@/server/platform/db';
import { stopListening } from '@/server/platform/listen';
import type { TeamContext } from '@/server/trpc/contexts';
import { newMonitor, newTeam, openedEvent } from '@/tests/integration/notifications/support';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { type QuietTeam, startQuietTeam } from './quiet-team';
import { servers } from './setup';

const CHANNELS = 80;
const WATCHED_MS = 8_000;
/** A body that repeats the longest value as often as it can. */
const BODY = '{{details}}'.repeat(1_800);

let team: QuietTeam;
let receiver: HttpReceiver;
let ctx: TeamContext;

beforeAll(async () => {
  if (!servers.quiet) throw new Error('The servers were not started.');
  receiver = await startHttpReceiver();
  team = await startQuietTeam(await servers.quiet.open(-1));
  ctx = await newTeam();
}, 60_000);

afterAll(async () => {
  await team.stop();
  await stopListening();
  await Promise.all([receiver.close(), servers.hostile?.stop(), servers.quiet?.stop()]);
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const config = () => ({ url: receiver.url, method: 'POST' as const, contentType: 'form' as const, body: BODY });

/** An incident with the longest cause, to be sent to all channels of the team. */
async function deliver(): Promise<string[]> {
  const event = await openedEvent(ctx, await newMonitor(ctx.team.id, 'Long'));
  const { incident } = event.data;
  const data = { ...event.data, incident: incident && { ...incident, cause: '€'.repeat(4_000) } };
  await db.$transaction((tx) => createDeliveries(tx, [{ ...event, data }]));
  return (await db.delivery.findMany({ where: { eventKey: event.eventKey } })).map(({ id }) => id);
}

it('checks another team on time while 80 channels and previews of one team repeat a long value', async () => {
  for (let index = 0; index < CHANNELS; index += 1) {
    await createChannel({ ctx, input: { type: 'custom', name: `Own ${index}`, config: config() } });
  }
  const started = new Date();
  await wait(WATCHED_MS);
  const before = await team.lateness(started);
  const ids = await deliver();
  expect(ids).toHaveLength(CHANNELS);
  const from = new Date();
  const input = PreviewMessageInput.parse({ type: 'custom', config: config() });
  const previews = Array.from({ length: 6 }, () => previewMessage({ ctx, input }));
  await Promise.all([attemptDeliveries(ids, scheduleRetries), ...previews]);
  await wait(WATCHED_MS);
  const beside = await team.lateness(from);
  const statuses = await db.delivery.groupBy({ by: ['status'], where: { id: { in: ids } }, _count: true });
  console.log(`Alone: p50 ${before.p50} ms, p99 ${before.p99} ms; beside: p50 ${beside.p50} ms, p99 ${beside.p99} ms`);
  expect(statuses).toEqual([{ status: 'delivered', _count: CHANNELS }]);
  for (const { body } of receiver.requests) expect(body.length).toBeLessThanOrEqual(65_536);
  expect(beside.notUp).toEqual([]);
  // Other load on the machine affects both; expanding the bodies in full takes seconds, and the heap.
  expect(beside.p99).toBeLessThan(before.p99 * 1.5 + 1_000);
}, 120_000);
