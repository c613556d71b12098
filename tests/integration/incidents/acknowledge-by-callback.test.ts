import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '@/server/notifications/messages/message';
import type { CreateChannelInput } from '@/server/notifications/schema';
import { startHttpReceiver } from '@/tests/support/receivers';
import type { Person } from '@/tests/support/rest';

const provider = await startHttpReceiver();
process.env.CHANNEL_API_GATEWAY = provider.url;
const { rest, signUp } = await import('@/tests/support/rest');
const { handleChannelCallback } = await import('@/server/api/channel-callback');
const { send } = await import('@/server/notifications/providers');
const { db } = await import('@/server/platform/db');
const { newId } = await import('@/server/platform/ids');

let person: Person;

beforeAll(async () => {
  person = await signUp('Mara');
});
beforeEach(() => provider.respond(() => ({ status: 200 })));
afterAll(() => provider.close());

interface Room {
  id: string;
  callbackUrl: string;
}

async function newChannel(input: Omit<CreateChannelInput, 'name'>, { token } = person): Promise<Room> {
  const body = { name: 'On-call room', ...input };
  return (await rest('POST', '/dashboard/notification-channels', { token, body })).body.channel;
}

async function open({ token } = person): Promise<string> {
  const body = { title: 'Orders are late', cause: 'The queue is full.' };
  return (await rest('POST', '/api/v1/incidents', { token, body })).body.incident.id;
}

interface Sent {
  body: string;
  headers: Record<string, string>;
}

async function call(url: string, { body, headers }: Sent, method = 'POST') {
  const response = await handleChannelCallback(
    new Request(url, { method, headers, ...(method !== 'GET' && { body }) }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const updatesOf = (incidentId: string) => db.incidentUpdate.findMany({ where: { incidentId, kind: 'acknowledged' } });
const statusOf = async (id: string) => (await db.incident.findUniqueOrThrow({ where: { id } })).status;
const now = () => Math.floor(Date.now() / 1000);
const refused = { code: 'UNAUTHENTICATED', message: 'The URL or the signature of this callback is not valid.' };

function messageAbout(incidentId: string, changes: Partial<Message> = {}): Message {
  const startedAt = '2026-11-20T03:07:12.000Z';
  const incident = { id: incidentId, type: 'manual', status: 'open', startedAt };
  return {
    id: 'd1',
    payload: { type: 'incident.opened', timestamp: startedAt, data: { incident, monitor: null } },
    tone: 'down',
    headline: 'Orders are late',
    details: [],
    url: `http://127.0.0.1:3000/incidents/${incidentId}`,
    acknowledgeUrl: 'http://127.0.0.1:3000/acknowledge/token',
    button: `${incidentId}.0`,
    ...changes,
  };
}

/** The body of the last request to the provider, which a message of the kind is sent with. */
async function sentWith(type: never, config: object, message: Message) {
  const before = provider.requests.length;
  await send(type, message, config as never, { signal: AbortSignal.timeout(5_000), teamId: person.teamId });
  await provider.waitFor(before + 1);
  return JSON.parse(provider.requests.at(-1)?.body ?? '');
}

describe('a button in Slack', () => {
  const signingSecret = '8f742231b10e8888abcd99baac085bc2';
  const config = { webhookUrl: 'http://127.0.0.1:9/slack-hook', signingSecret };
  let room: Room;

  beforeAll(async () => {
    room = await newChannel({ type: 'slack', config });
  });

  interface Pressed {
    secret?: string;
    timestamp?: number;
    responseUrl?: string;
    action?: string;
    username?: string;
    /** Further buttons, before the pressed one. */
    others?: object[];
    /** Fields before the payload. */
    before?: string;
  }

  function press(incidentId: string, { secret = signingSecret, timestamp = now(), ...given }: Pressed = {}): Sent {
    const { responseUrl = 'https://hooks.slack.com/actions/T0/1/x', action = 'acknowledge', username = 'mara' } = given;
    const { others = [], before = '' } = given;
    const payload = {
      type: 'block_actions',
      user: { id: 'U0', username, team_id: 'T0' },
      actions: [...others, { action_id: action, type: 'button', value: incidentId }],
      response_url: responseUrl,
    };
    const body = before + new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const mac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    const signed = { 'x-slack-request-timestamp': String(timestamp), 'x-slack-signature': `v0=${mac}` };
    return { body, headers: { ...signed, 'content-type': 'application/x-www-form-urlencoded' } };
  }

  /** The message to the person who pressed the button. */
  async function toldAfter(sent: Sent): Promise<unknown> {
    const before = provider.requests.length;
    expect(await call(room.callbackUrl, sent)).toMatchObject({ status: 200, body: null });
    await provider.waitFor(before + 1);
    const { path, body } = provider.requests.at(-1) ?? {};
    expect(path).toBe('/hooks.slack.com/actions/T0/1/x');
    return JSON.parse(body ?? '');
  }

  it('is part of messages about an open incident where the channel has a signing secret', async () => {
    const at = { webhookUrl: `${provider.url}/slack-hook` };
    const button = { type: 'button', action_id: 'acknowledge', value: 'i1.0' };
    const shown = {
      blocks: expect.arrayContaining([{ type: 'actions', elements: [expect.objectContaining(button)] }]),
    };
    expect(await sentWith('slack' as never, { ...at, signingSecret }, messageAbout('i1'))).toMatchObject(shown);
    expect(await sentWith('slack' as never, at, messageAbout('i1'))).not.toMatchObject(shown);
    const { acknowledgeUrl: _, button: __, ...resolved } = messageAbout('i1');
    expect(await sentWith('slack' as never, { ...at, signingSecret }, resolved)).not.toMatchObject(shown);
  });

  it('acknowledges in the name of the person who pressed it', async () => {
    const incidentId = await open();
    expect(room.callbackUrl).toMatch(new RegExp(`/api/callbacks/slack/${room.id}$`));
    expect(await toldAfter(press(incidentId))).toEqual({
      response_type: 'ephemeral',
      replace_original: false,
      text: 'Acknowledged by @mara on Slack.',
      blocks: [
        { type: 'section', text: { type: 'plain_text', text: 'Acknowledged by @mara on Slack.', emoji: false } },
      ],
    });
    expect(await statusOf(incidentId)).toBe('acknowledged');
    expect(await updatesOf(incidentId)).toMatchObject([{ authorName: '@mara on Slack' }]);
    const notification = await db.delivery.findFirstOrThrow({ where: { incidentId, event: 'incident.acknowledged' } });
    expect(notification.payload).toMatchObject({ data: { actor: '@mara on Slack' } });
    const entry = await db.auditEntry.findFirstOrThrow({
      where: { targetId: incidentId, action: 'incident.acknowledge' },
    });
    expect(entry).toMatchObject({ actorKind: 'anonymous', after: { acknowledgedBy: '@mara on Slack' } });
  });

  it('shows names literally', async () => {
    const name = '<!channel> *x*';
    expect(await toldAfter(press(await open(), { username: name }))).toMatchObject({
      text: 'Acknowledged by @&lt;!channel&gt; *x* on Slack.',
      blocks: [{ type: 'section', text: { type: 'plain_text', text: `Acknowledged by @${name} on Slack.` } }],
    });
  });

  it('acknowledges once when it is pressed twice at once', async () => {
    const incidentId = await open();
    const answers = await Promise.all(
      [press(incidentId), press(incidentId)].map((sent) => call(room.callbackUrl, sent)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await updatesOf(incidentId)).toHaveLength(1);
  });

  it('names who acknowledged first, and leaves a resolved incident as it is', async () => {
    const incidentId = await open();
    await rest('POST', `/api/v1/incidents/${incidentId}/acknowledge`, { token: person.token });
    expect(await toldAfter(press(incidentId))).toMatchObject({ text: 'Acknowledged by Mara.' });
    await rest('POST', `/api/v1/incidents/${incidentId}/resolve`, { token: person.token });
    expect(await toldAfter(press(incidentId))).toMatchObject({ text: 'This incident is already resolved.' });
    expect(await statusOf(incidentId)).toBe('resolved');
    expect(await updatesOf(incidentId)).toHaveLength(1);
  });

  it('acknowledges only incidents that were sent to its app', async () => {
    const outsider = await signUp('Kim');
    const theirs = await newChannel({ type: 'slack', config }, outsider);
    const foreign = await open(outsider);
    const unnotified = await db.incident.create({
      data: {
        id: 'UNTOLD0000000000000000000A',
        teamId: person.teamId,
        type: 'manual',
        status: 'open',
        startedAt: new Date(),
      },
    });
    for (const incidentId of [foreign, unnotified.id, "x' or 1=1", '']) {
      expect(await toldAfter(press(incidentId))).toMatchObject({ text: 'This incident no longer exists.' });
    }
    expect([await statusOf(foreign), await statusOf(unnotified.id)]).toEqual(['open', 'open']);
    expect((await call(theirs.callbackUrl, press(foreign))).status).toBe(200);
    expect(await statusOf(foreign)).toBe('acknowledged');
  });

  it('changes nothing when its request is repeated after the incident was reopened', async () => {
    const incidentId = await open();
    const captured = press(`${incidentId}.0`);
    await toldAfter(captured);
    const act = (action: string) => rest('POST', `/api/v1/incidents/${incidentId}/${action}`, { token: person.token });
    await act('resolve');
    expect((await act('reopen')).status).toBe(200);
    const reopened = { text: 'This incident was reopened. Use the button of its latest message.' };
    expect(await toldAfter(captured)).toMatchObject(reopened);
    expect(await toldAfter(press(incidentId))).toMatchObject(reopened);
    expect(await statusOf(incidentId)).toBe('open');
    const notification = await db.delivery.findFirstOrThrow({ where: { incidentId, event: 'incident.reopened' } });
    expect(notification.opening).toBe(1);
    expect(await toldAfter(press(`${incidentId}.1`))).toMatchObject({ text: 'Acknowledged by @mara on Slack.' });
    expect(await statusOf(incidentId)).toBe('acknowledged');
  });

  it('acknowledges the incidents of its message, and no others', async () => {
    const [one, two, apart] = [await open(), await open(), await open()];
    const group = { id: newId(), channelId: room.id, incidentIds: [one, two], openings: [0, 0] };
    await db.acknowledgeGroup.create({ data: group });
    await rest('POST', `/api/v1/incidents/${one}/resolve`, { token: person.token });
    expect(await toldAfter(press(`group.${group.id}`))).toMatchObject({
      text: 'Acknowledged 1 incident. The other one was already acknowledged or resolved.',
    });
    expect([await statusOf(one), await statusOf(two), await statusOf(apart)]).toEqual([
      'resolved',
      'acknowledged',
      'open',
    ]);
    await rest('POST', `/api/v1/incidents/${one}/reopen`, { token: person.token });
    expect(await toldAfter(press(`group.${group.id}`))).toMatchObject({
      text: '1 incident is open because it was reopened. Use the latest message.',
    });
    expect(await statusOf(one)).toBe('open');
    const outsider = await signUp('Kim');
    const theirs = await newChannel({ type: 'slack', config }, outsider);
    const foreign = { id: newId(), channelId: theirs.id, incidentIds: [await open(outsider)], openings: [0] };
    await db.acknowledgeGroup.create({ data: foreign });
    for (const button of [`group.${foreign.id}`, `group.${newId()}`]) {
      expect(await toldAfter(press(button))).toMatchObject({ text: 'This incident no longer exists.' });
    }
    expect(await statusOf(foreign.incidentIds[0] ?? '')).toBe('open');
  });

  it('works in another channel of the team that has the same app, and not in one of another app', async () => {
    const sibling = await newChannel({ type: 'slack', config: { ...config, webhookUrl: 'http://127.0.0.1:9/two' } });
    const secret = 'ffffffffffffffffffffffffffffffff';
    const other = await newChannel({ type: 'slack', config: { ...config, signingSecret: secret } });
    const incidentId = await open();
    await db.delivery.deleteMany({ where: { incidentId, channelId: { in: [other.id, sibling.id] } } });
    expect((await call(other.callbackUrl, press(incidentId, { secret }))).status).toBe(200);
    expect(await statusOf(incidentId)).toBe('open');
    expect((await call(sibling.callbackUrl, press(incidentId))).status).toBe(200);
    expect(await statusOf(incidentId)).toBe('acknowledged');
    for (const { id } of [sibling, other]) {
      await rest('DELETE', `/dashboard/notification-channels/${id}`, { token: person.token });
    }
  });

  it('works beside a channel whose config cannot be decrypted', async () => {
    const broken = await newChannel({ type: 'slack', config });
    await db.channel.update({
      where: { id: broken.id },
      data: { config: { webhookUrl: 'v1.lost', signingSecret: 'v1.lost' } },
    });
    const incidentId = await open();
    await db.delivery.deleteMany({ where: { incidentId, channelId: { not: broken.id } } });
    expect(await toldAfter(press(incidentId))).toMatchObject({ text: 'This incident no longer exists.' });
    expect(await call(broken.callbackUrl, press(incidentId))).toMatchObject({ status: 401, body: { error: refused } });
    await rest('DELETE', `/dashboard/notification-channels/${broken.id}`, { token: person.token });
  });

  it('is rejected in the same way for a wrong signature, an old one, and an unknown channel', async () => {
    const incidentId = await open();
    const plain = await newChannel({ type: 'slack', config: { webhookUrl: config.webhookUrl } });
    const deleted = await newChannel({ type: 'slack', config });
    await rest('DELETE', `/dashboard/notification-channels/${deleted.id}`, { token: person.token });
    const good = press(incidentId);
    const wrong: [string, Sent][] = [
      [room.callbackUrl, press(incidentId, { secret: 'another-secret-of-an-app' })],
      [room.callbackUrl, press(incidentId, { timestamp: now() - 301 })],
      [room.callbackUrl, press(incidentId, { timestamp: now() + 302 })],
      [room.callbackUrl, { ...good, body: `${good.body}&x=1` }],
      [room.callbackUrl, { ...good, headers: {} }],
      [plain.callbackUrl, good],
      [plain.callbackUrl, press(incidentId, { secret: '' })],
      [deleted.callbackUrl, good],
      [`${room.callbackUrl}x`, good],
      [`${room.callbackUrl}/x`, good],
      [room.callbackUrl.replace('/slack/', '/webhook/'), good],
      [room.callbackUrl.replace('/slack/', '/constructor/'), good],
    ];
    for (const [url, sent] of wrong) {
      expect(await call(url, sent)).toMatchObject({ status: 401, body: { error: refused } });
    }
    expect(await statusOf(incidentId)).toBe('open');
  });

  it('answers other interactions and other methods without a change', async () => {
    const incidentId = await open();
    const before = provider.requests.length;
    expect(await call(room.callbackUrl, press(incidentId, { action: 'other' }))).toMatchObject({ status: 200 });
    const got = await call(room.callbackUrl, press(incidentId), 'GET');
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await call(room.callbackUrl, { body: 'x'.repeat(1_100_000), headers: {} })).toMatchObject({ status: 413 });
    expect(await statusOf(incidentId)).toBe('open');
    expect(provider.requests).toHaveLength(before);
  });

  it('ignores a request that is costly to parse, although its signature is valid', async () => {
    const incidentId = await open();
    const others = Array.from({ length: 3_000 }, () => ({ action_id: 'x' }));
    const costly = [press(incidentId, { others }), press(incidentId, { before: 'a&'.repeat(100_000) })];
    for (const sent of costly) {
      expect(await call(room.callbackUrl, sent)).toMatchObject({ status: 200, body: null });
    }
    const long = press(incidentId, { username: 'a'.repeat(300_000) });
    expect(await call(room.callbackUrl, long)).toMatchObject({ status: 413 });
    expect(await statusOf(incidentId)).toBe('open');
  });

  it('sends the result only to Slack', async () => {
    const before = provider.requests.length;
    for (const responseUrl of ['https://evil.example/x', 'http://hooks.slack.com/x', `${provider.url}/x`, 'nothing']) {
      const incidentId = await open();
      expect((await call(room.callbackUrl, press(incidentId, { responseUrl }))).status).toBe(200);
      expect(await statusOf(incidentId)).toBe('acknowledged');
    }
    await toldAfter(press(await open()));
    expect(provider.requests).toHaveLength(before + 1);
  });

  it('keeps the signing secret masked, and removes it with an empty text', async () => {
    const path = `/dashboard/notification-channels/${room.id}`;
    const { body } = await rest('GET', path, { token: person.token });
    expect(body.channel.config.signingSecret).toBe('••••5bc2');
    const emptied = { config: { webhookUrl: body.channel.config.webhookUrl, signingSecret: '' } };
    expect((await rest('PUT', path, { token: person.token, body: emptied })).status).toBe(200);
    expect((await call(room.callbackUrl, press(await open()))).status).toBe(401);
  });
});

describe('a button in Telegram', () => {
  const webhookSecret = 'a-secret-of-the-webhook';
  const config = { botToken: `1:${'A'.repeat(35)}`, chatId: '-1001', apiUrl: 'http://127.0.0.1:9', webhookSecret };
  let room: Room;

  beforeAll(async () => {
    room = await newChannel({ type: 'telegram', config });
  });

  function press(
    incidentId: string,
    { secret = webhookSecret, from = { id: 7, username: 'mara' } as object } = {},
  ): Sent {
    const query = { id: '4382bfdwdsb323b2d9', from, data: `acknowledge:${incidentId}`, chat_instance: '1' };
    const body = JSON.stringify({ update_id: 1, callback_query: query });
    return { body, headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret } };
  }

  const replyOf = (text: string) => ({
    status: 200,
    body: { method: 'answerCallbackQuery', callback_query_id: '4382bfdwdsb323b2d9', text },
  });

  it('is part of messages about an open incident where the channel has a webhook secret', async () => {
    const at = { ...config, apiUrl: provider.url };
    const shown = { reply_markup: { inline_keyboard: [[{ text: 'Acknowledge', callback_data: 'acknowledge:i1.0' }]] } };
    expect(await sentWith('telegram' as never, at, messageAbout('i1'))).toMatchObject(shown);
    const without = { ...at, webhookSecret: '' };
    expect(await sentWith('telegram' as never, without, messageAbout('i1'))).not.toHaveProperty('reply_markup');
    const { acknowledgeUrl: _, button: __, ...resolved } = messageAbout('i1');
    expect(await sentWith('telegram' as never, at, resolved)).not.toHaveProperty('reply_markup');
  });

  it('acknowledges once in the name of the person who pressed it first', async () => {
    const incidentId = await open();
    const answers = await Promise.all([1, 2].map(() => call(room.callbackUrl, press(incidentId))));
    expect(answers).toMatchObject(Array(2).fill(replyOf('Acknowledged by @mara on Telegram.')));
    expect(await updatesOf(incidentId)).toMatchObject([{ authorName: '@mara on Telegram' }]);
    const kim = press(incidentId, { from: { id: 8, first_name: 'Kim' } });
    expect(await call(room.callbackUrl, kim)).toMatchObject(replyOf('Acknowledged by @mara on Telegram.'));
    const other = await open();
    const again = press(other, { from: { id: 8, first_name: 'Kim\u0000' } });
    expect(await call(room.callbackUrl, again)).toMatchObject(replyOf('Acknowledged by Kim  on Telegram.'));
  });

  it('leaves resolved incidents and those of others as they are', async () => {
    const incidentId = await open();
    await rest('POST', `/api/v1/incidents/${incidentId}/resolve`, { token: person.token });
    const resolved = replyOf('This incident is already resolved.');
    expect(await call(room.callbackUrl, press(incidentId))).toMatchObject(resolved);
    const outsider = await signUp('Kim');
    const foreign = await open(outsider);
    await newChannel({ type: 'telegram', config }, outsider);
    for (const id of [foreign, await open(outsider), '']) {
      const unknown = replyOf('This incident no longer exists.');
      expect(await call(room.callbackUrl, press(id))).toMatchObject(unknown);
    }
    expect(await statusOf(foreign)).toBe('open');
  });

  it('is rejected with a wrong secret, and answers other updates without a change', async () => {
    const incidentId = await open();
    const plain = await newChannel({ type: 'telegram', config: { ...config, webhookSecret: '' } });
    const wrong: [string, Sent][] = [
      [room.callbackUrl, press(incidentId, { secret: 'another-secret-of-another' })],
      [room.callbackUrl, press(incidentId, { secret: '' })],
      [plain.callbackUrl, press(incidentId)],
      [plain.callbackUrl, press(incidentId, { secret: '' })],
      [room.callbackUrl.replace('/telegram/', '/slack/'), press(incidentId)],
    ];
    for (const [url, sent] of wrong) {
      expect(await call(url, sent)).toMatchObject({ status: 401, body: { error: refused } });
    }
    for (const body of [JSON.stringify({ update_id: 2, message: { text: `acknowledge:${incidentId}` } }), 'no JSON']) {
      expect(await call(room.callbackUrl, { ...press(incidentId), body })).toMatchObject({ status: 200, body: null });
    }
    expect(await statusOf(incidentId)).toBe('open');
  });
});

describe('a button in Discord', () => {
  const keys = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ed25519');
  const hexOf = ({ publicKey }: typeof keys) =>
    publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const config = { webhookUrl: 'http://127.0.0.1:9/api/webhooks/1/x', publicKey: hexOf(keys) };
  let room: Room;

  beforeAll(async () => {
    room = await newChannel({ type: 'discord', config });
  });

  interface Signed {
    by?: typeof keys;
    timestamp?: number;
  }

  function signed(interaction: object, { by = keys, timestamp = now() }: Signed = {}): Sent {
    const body = JSON.stringify(interaction);
    const signature = sign(null, Buffer.from(`${timestamp}${body}`), by.privateKey).toString('hex');
    const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': String(timestamp) };
    return { body, headers: { ...headers, 'content-type': 'application/json' } };
  }

  const member = { user: { id: '7', username: 'mara' } };
  const press = (incidentId: string, how: Signed = {}) =>
    signed({ type: 3, data: { custom_id: `acknowledge:${incidentId}`, component_type: 2 }, member }, how);
  const replyOf = (content: string) => ({ status: 200, body: { type: 4, data: { content, flags: 64 } } });
  const byMara = replyOf('Acknowledged by \\@mara on Discord.');

  it('needs a public key for which nobody can sign without its private key', async () => {
    const y8 = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05';
    const other8 = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a';
    const one = `01${'00'.repeat(31)}`;
    const zero = '00'.repeat(32);
    const minusOne = `ec${'ff'.repeat(30)}7f`;
    const prime = `ed${'ff'.repeat(30)}7f`;
    const oneMore = `ee${'ff'.repeat(30)}7f`;
    const points = [y8, other8, one, zero, minusOne, prime, oneMore];
    const negative = points.map((hex) => hex.slice(0, -2) + (Number.parseInt(hex.slice(-2), 16) + 128).toString(16));
    for (const publicKey of [...points, ...negative, y8.toUpperCase()]) {
      const body = { name: 'Room', type: 'discord', config: { ...config, publicKey } };
      const created = await rest('POST', '/api/v1/channels', { token: person.token, body });
      expect(created).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
    // A stored key of small order: R = A and S = 0 verify for every message.
    await db.channel.update({ where: { id: room.id }, data: { config: { ...config, publicKey: one } } });
    const forged = press(await open());
    const signature = one + '00'.repeat(32);
    const sent = { ...forged, headers: { ...forged.headers, 'x-signature-ed25519': signature } };
    expect((await call(room.callbackUrl, sent)).status).toBe(401);
    room = await newChannel({ type: 'discord', config });
  });

  it('is part of messages about an open incident where the channel has a public key', async () => {
    const at = { ...config, webhookUrl: `${provider.url}/api/webhooks/1/x` };
    const button = { type: 2, style: 1, label: 'Acknowledge', custom_id: 'acknowledge:i1.0' };
    const shown = { components: [{ type: 1, components: [button] }] };
    expect(await sentWith('discord' as never, at, messageAbout('i1'))).toMatchObject(shown);
    const without = { ...at, publicKey: '' };
    expect(await sentWith('discord' as never, without, messageAbout('i1'))).not.toHaveProperty('components');
    const { acknowledgeUrl: _, button: __, ...resolved } = messageAbout('i1');
    expect(await sentWith('discord' as never, at, resolved)).toMatchObject({ components: [] });
  });

  it('answers a ping with a pong, and other interactions without a change', async () => {
    expect(await call(room.callbackUrl, signed({ type: 1 }))).toMatchObject({ status: 200, body: { type: 1 } });
    const incidentId = await open();
    const modal = { type: 5, data: { custom_id: `acknowledge:${incidentId}` }, member };
    for (const interaction of [modal, { type: 3, data: { custom_id: 'other' }, member }]) {
      expect(await call(room.callbackUrl, signed(interaction))).toMatchObject({ status: 200, body: { type: 6 } });
    }
    expect(await statusOf(incidentId)).toBe('open');
  });

  it('acknowledges once in the name of the person who pressed it', async () => {
    const incidentId = await open();
    const answers = await Promise.all([1, 2].map(() => call(room.callbackUrl, press(incidentId))));
    expect(answers).toMatchObject(Array(2).fill(byMara));
    expect(await updatesOf(incidentId)).toMatchObject([{ authorName: '@mara on Discord' }]);
  });

  it('leaves resolved incidents and those of others as they are', async () => {
    const incidentId = await open();
    await rest('POST', `/api/v1/incidents/${incidentId}/resolve`, { token: person.token });
    expect(await call(room.callbackUrl, press(incidentId))).toMatchObject(
      replyOf('This incident is already resolved.'),
    );
    const outsider = await signUp('Kim');
    await newChannel({ type: 'discord', config }, outsider);
    const foreign = await open(outsider);
    expect(await call(room.callbackUrl, press(foreign))).toMatchObject(replyOf('This incident no longer exists.'));
    expect(await statusOf(foreign)).toBe('open');
  });

  it('is rejected with a wrong or an old signature', async () => {
    const incidentId = await open();
    const good = press(incidentId);
    const plain = await newChannel({ type: 'discord', config: { webhookUrl: config.webhookUrl } });
    const wrong: [string, Sent][] = [
      [room.callbackUrl, press(incidentId, { by: other })],
      [room.callbackUrl, press(incidentId, { timestamp: now() - 301 })],
      [room.callbackUrl, { ...good, body: `${good.body} ` }],
      [room.callbackUrl, { ...good, headers: { ...good.headers, 'x-signature-ed25519': 'no hex' } }],
      [room.callbackUrl, { ...good, headers: {} }],
      [room.callbackUrl, signed({ type: 1 }, { by: other })],
      [plain.callbackUrl, good],
    ];
    for (const [url, sent] of wrong) {
      expect(await call(url, sent)).toMatchObject({ status: 401, body: { error: refused } });
    }
    expect(await statusOf(incidentId)).toBe('open');
  });
});
