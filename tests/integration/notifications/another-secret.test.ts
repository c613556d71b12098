import { afterAll, expect, it, vi } from 'vitest';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { db } from '@/server/platform/db';
import { startHttpReceiver } from '@/tests/support/receivers';
import { deliver, newTeam, newWebhook, openedEvent } from './support';

const receiver = await startHttpReceiver();
afterAll(() => receiver.close());

/** The stored config of a channel, encrypted by a process with another APP_SECRET. */
async function sealedElsewhere(): Promise<object> {
  vi.stubEnv('APP_SECRET', 'the secret of a second machine');
  vi.resetModules();
  const { sealSecret } = await import('@/server/platform/secrets');
  vi.unstubAllEnvs();
  return { url: receiver.url, secret: sealSecret('whsec_c2VjcmV0') };
}

it('keeps a delivery pending if this APP_SECRET cannot decrypt its channel, and sends it once it can', async () => {
  const ctx = await newTeam();
  const { id } = await newWebhook(ctx, receiver.url, 'whsec_c2VjcmV0');
  const { config } = await db.channel.findUniqueOrThrow({ where: { id } });
  await db.channel.update({ where: { id }, data: { config: await sealedElsewhere() } });
  const event = await openedEvent(ctx);
  await db.$transaction((tx) => createDeliveries(tx, [event]));
  const { id: deliveryId } = await db.delivery.findFirstOrThrow({ where: { eventKey: event.eventKey } });
  const run = async () => {
    await db.delivery.update({ where: { id: deliveryId }, data: { nextAttemptAt: new Date(0) } });
    await deliver(id);
    return db.delivery.findUniqueOrThrow({ where: { id: deliveryId }, include: { attempts: true } });
  };
  for (let attempts = 1; attempts <= 15; attempts += 1) expect((await run()).status).toBe('pending');
  expect((await run()).attempts.at(-1)?.error).toBe(
    'The settings of this channel could not be decrypted. Save them again',
  );
  expect(receiver.requests).toHaveLength(0);
  await db.channel.update({ where: { id }, data: { config: config ?? {} } });
  expect((await run()).status).toBe('delivered');
  expect(receiver.requests).toHaveLength(1);
});
