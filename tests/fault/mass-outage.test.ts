import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelType } from '@/server/notifications/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { until } from '@/tests/support/receivers';
import { type FailingMonitors, makeFailingMonitors } from './failing-monitors';
import { endWorker, startWorker } from './workers';

// One worker of the built product and 500 monitors of a team that fail together. Compares the requests to the receivers of three chats with the
// documentation.

const MONITORS = 500;
const INTERVAL_SECONDS = 5;
const PATIENCE_MS = 60_000;
/** Documented: the cap of a channel by default, in a minute, and the time of the first message. */
const MOST_MESSAGES = 5;
const MINUTE_MS = 60_000;
const FIRST_WITHIN_MS = 3_000;

const chats = (url: string): Partial<Record<ChannelType, object>> => ({
  slack: { webhookUrl: `${url}/slack` },
  discord: { webhookUrl: `${url}/discord` },
  telegram: { botToken: '123456789:AAEnineunlikelywordsinarow', chatId: '1', apiUrl: `${url}/telegram` },
});
const CHATS = Object.keys(chats(''));

let stage: FailingMonitors;
let worker: ChildProcess;

const messagesOf = (chat: string) => stage.receiver.requests.filter(({ path }) => path.startsWith(`/${chat}`));
const namesIn = (text: string) => text.match(/shop-\d+\.example/g) ?? [];

beforeAll(async () => {
  stage = await makeFailingMonitors(MONITORS, { intervalSeconds: INTERVAL_SECONDS, patienceMs: PATIENCE_MS });
  const { receiver, monitors, failing, pathOf, untilStatus } = stage;
  receiver.respond(() => ({ status: 200, body: '{"ok":true,"result":{"message_id":1}}' }));
  await Promise.all(
    monitors.map(({ id }, index) => db.monitor.update({ where: { id }, data: { name: `shop-${index}.example` } })),
  );
  const teamId = monitors[0]?.teamId ?? '';
  for (const [type, config] of Object.entries(chats(receiver.url))) {
    await db.channel.create({ data: { id: newId(), teamId, type: type as ChannelType, name: type, config } });
  }
  worker = startWorker();
  await untilStatus(monitors, 'up', 'The first check of every monitor');
  for (const monitor of monitors) failing.add(pathOf(monitor));
  const undelivered = () => db.delivery.count({ where: { status: { not: 'delivered' } } });
  const incidents = () => db.incident.count();
  await until(
    async () => (await incidents()) === MONITORS && (await undelivered()) === 0,
    2 * PATIENCE_MS,
    'Every message',
  );
}, 240_000);

afterAll(async () => {
  await endWorker(worker, 'SIGKILL');
  await stage?.close();
});

describe(`${MONITORS} monitors that fail within ${INTERVAL_SECONDS} s`, () => {
  it.each(CHATS)('names all failed monitors in %s, in at most five messages a minute', (chat) => {
    const messages = messagesOf(chat);
    const times = messages.map(({ at }) => at.getTime());
    const inAMinute = times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length);
    expect(Math.max(...inAMinute)).toBeLessThanOrEqual(MOST_MESSAGES);
    const named = new Set(messages.flatMap(({ body }) => namesIn(body)));
    expect(named.size).toBe(MONITORS);
  });

  // Compared with the webhook, which waits for nothing, so that a busy machine delays both; "npm run bench -- alerts" measures from the confirmation.
  it.each(CHATS)('sends the first message to %s within 3 s of the first webhook', (chat) => {
    const [first, webhook] = [chat, 'hook'].map((each) => messagesOf(each)[0]?.at.getTime() ?? Number.NaN);
    expect((first ?? Number.NaN) - (webhook ?? Number.NaN)).toBeLessThan(FIRST_WITHIN_MS);
  });

  it('sends one webhook for each failed monitor', () => {
    const ids = messagesOf('hook').map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(MONITORS);
  });
});
