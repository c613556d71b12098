import { afterAll, expect, it } from 'vitest';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { db } from '@/server/platform/db';
import { startHttpReceiver } from '@/tests/support/receivers';
import { deliver, newTeam, newWebhook, openedEvent } from './support';

const receiver = await startHttpReceiver();
afterAll(() => receiver.close());

it('keeps a message pending that another version has written, and sends it once it can be read', async () => {
  const ctx = await newTeam();
  const { id: channelId } = await newWebhook(ctx, receiver.url, 'whsec_c2VjcmV0');
  const event = await openedEvent(ctx);
  await db.$transaction((tx) => createDeliveries(tx, [event]));
  const { id, payload } = await db.delivery.findFirstOrThrow({ where: { eventKey: event.eventKey } });
  const run = async (message: object) => {
    await db.delivery.update({ where: { id }, data: { payload: message, nextAttemptAt: new Date(0) } });
    await deliver(channelId);
    return db.delivery.findUniqueOrThrow({ where: { id }, include: { attempts: true } });
  };
  const readable = payload as object;
  expect(await run({ ...readable, type: 'incident.from_a_newer_version' })).toMatchObject({
    status: 'pending',
    nextAttemptAt: expect.any(Date),
    attempts: [{ error: 'This version of Upwatch cannot read the message' }],
  });
  expect((await run(readable)).status).toBe('delivered');
  expect(receiver.requests).toHaveLength(1);
});
