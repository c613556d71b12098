import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChannel } from '@/server/notifications/create-channel';
import { claim } from '@/server/notifications/deliveries/claim';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { recordApart } from '@/server/notifications/deliveries/record-apart';
import { db } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { deliver, newTeam, openedEvent } from './support';

let ctx: TeamContext;
let receiver: HttpReceiver;

beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());

beforeEach(async () => {
  ctx = await newTeam();
});

async function enqueue(count: number): Promise<string[]> {
  for (let index = 0; index < count; index += 1) {
    const event = await openedEvent(ctx);
    await db.$transaction((tx) => createDeliveries(tx, [event]));
  }
  const rows = await db.delivery.findMany({ where: { teamId: ctx.team.id }, orderBy: { id: 'asc' } });
  return rows.map(({ id }) => id);
}

const attemptsOf = (deliveryId: string) => db.deliveryAttempt.findMany({ where: { deliveryId } });

describe('rejected delivery whose response contains', () => {
  it.each([
    ['a NUL', 'no\u0000service'],
    ['terminal escapes', '\u001b[2Jno\u001b]0;owned\u0007service\r\n\u202e'],
    ['bytes that are not text', Buffer.from([0x6e, 0xff, 0x00, 0xed, 0xa0, 0x80]).toString('latin1')],
    ['a NUL in JSON', '{"message":"no\\u0000\\ud800service"}'],
  ])('%s has its attempt recorded, in printable characters', async (_name, body) => {
    receiver.respond(() => ({ status: 400, body }));
    for (const type of ['slack', 'discord'] as const) {
      await createChannel({ ctx, input: { type, name: type, config: { webhookUrl: receiver.url } } });
    }
    const ids = await enqueue(1);
    expect(ids).toHaveLength(2);
    for (const deliveryId of ids) {
      const { channelId } = await db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
      await deliver(channelId);
      const [attempt, ...more] = await attemptsOf(deliveryId);
      expect(more).toEqual([]);
      expect(attempt?.error).toMatch(/^(Slack|Discord) answered 400(: [^\p{Cc}\p{Bidi_Control}]+)?$/u);
    }
  });
});

describe('recordApart', () => {
  it('records the other attempts beside one whose text the database rejects', async () => {
    const config = { webhookUrl: receiver.url };
    const { id: channelId } = await createChannel({ ctx, input: { type: 'slack', name: 'Ops', config } });
    const ids = await enqueue(6);
    const turn = await claim(channelId);
    if (!turn) throw new Error('Nothing was claimed.');
    const { destination, claims } = turn;
    expect(claims).toHaveLength(6);
    const attempted = claims.map((claim) => {
      const error = claim.id === ids[2] ? 'no\u0000service' : 'Slack answered 503';
      return { claim, durationMs: 5, result: { ok: false as const, permanent: false, statusCode: 503, error } };
    });
    await recordApart(destination, attempted, { notBefore: null });
    const errors = await Promise.all(ids.map(async (id) => (await attemptsOf(id)).map(({ error }) => error)));
    const unknown = 'The result of this attempt could not be stored; see the Upwatch log for details';
    expect(errors).toEqual(ids.map((id) => [id === ids[2] ? unknown : 'Slack answered 503']));
  });
});
