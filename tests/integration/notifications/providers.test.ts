import { type AddressInfo, createServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '@/server/notifications/messages/message';
import type { ChannelConfig, ChannelType } from '@/server/notifications/schema';
import { type Responder, startHttpReceiver, startSmtpReceiver, until } from '@/tests/support/receivers';
import { startLine } from './line-stand-in';

const line = await startLine();
const smtp = await startSmtpReceiver();
let http = await startHttpReceiver();
Object.assign(process.env, { LINE_API_BASE_URL: line.url, SMTP_URL: smtp.url });
const { send, update } = await import('@/server/notifications/providers');
const { toUuid } = await import('@/server/notifications/providers/line/send');
const { closeMail } = await import('@/server/platform/mail');

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const TOKEN = `123456789:${'A'.repeat(35)}`;
const name = 'Pay <b>&now</b> @everyone *x* `y`';
const message: Message = {
  id: '01KACV6T3Q0000000000000000',
  payload: {
    type: 'incident.opened',
    timestamp: '2026-11-20T03:07:13.000Z',
    data: {
      incident: { id: 'i1', type: 'downtime', cause: 'HTTP 503', startedAt: '2026-11-20T03:07:12.000Z', extra: 'kept' },
      monitor: { id: 'm1', name },
    },
  },
  tone: 'down',
  headline: `${name} is down`,
  details: ['Since 2026-11-20 03:07:12 UTC.', 'HTTP <503>.'],
  url: 'http://127.0.0.1:3000/incidents/i1',
};

type Sendable = { [Type in ChannelType]: { type: Type; config: ChannelConfig<Type> } }[ChannelType];

const sendables = {
  webhook: () => ({ type: 'webhook', config: { url: `${http.url}/hook`, secret: SECRET } }),
  slack: () => ({ type: 'slack', config: { webhookUrl: `${http.url}/slack` } }),
  discord: () => ({ type: 'discord', config: { webhookUrl: `${http.url}/discord` } }),
  telegram: () => ({ type: 'telegram', config: { botToken: TOKEN, chatId: '-1001', apiUrl: http.url } }),
  line: () => ({ type: 'line', config: { channelAccessToken: line.token, to: 'U1' } }),
  email: () => ({ type: 'email', config: { to: 'ops@example.com' } }),
} satisfies { [Type in ChannelType]?: () => { type: Type; config: ChannelConfig<Type> } };

function sendTo({ type, config }: Sendable, signal = AbortSignal.timeout(5_000), changed: Partial<Message> = {}) {
  return send(type, { ...message, ...changed }, config, { signal, teamId: 't1' });
}

beforeEach(async () => {
  http.requests.length = 0;
  http.respond(() => ({ status: 200 }));
});
afterEach(() => smtp.refuse(null));
afterAll(async () => {
  closeMail();
  await Promise.all([http.close(), line.close(), smtp.close()]);
});

describe.each(Object.entries(sendables))('%s provider', (type, sendable) => {
  it('delivers a message', async () => {
    const result = await sendTo(sendable());
    expect(result).toEqual({ ok: true, statusCode: type === 'email' ? null : 200 });
  });

  if (type === 'webhook') return;

  it('links to the page that acknowledges', async () => {
    const acknowledgeUrl = 'http://127.0.0.1:3000/acknowledge/v1.token';
    const id = '01KACV6T3Q0000000000000007';
    await sendTo(sendable(), undefined, { id, acknowledgeUrl, details: ['x'.repeat(9_000)] });
    const sent = JSON.stringify([http.requests, line.shown.at(-1), smtp.mails.at(-1)?.parts]);
    expect(sent).toContain(acknowledgeUrl);
    expect(sent).toContain('Acknowledge');
  });
});

describe.each(['webhook', 'slack', 'discord'] as const)('%s provider, with a failing receiver', (type) => {
  const cases: { when: string; responder: Responder; result: object }[] = [
    { when: 'fails', responder: () => ({ status: 503 }), result: { permanent: false, statusCode: 503 } },
    { when: 'is not there yet', responder: () => ({ status: 404 }), result: { permanent: false, statusCode: 404 } },
    { when: 'is gone', responder: () => ({ status: 410 }), result: { permanent: true, statusCode: 410 } },
    {
      when: 'asks to wait',
      responder: () => ({ status: 429, headers: { 'retry-after': '17' } }),
      result: { permanent: false, statusCode: 429, retryAfterSeconds: 17 },
    },
    {
      when: 'redirects',
      responder: () => ({ status: 302, headers: { location: `${http.url}/elsewhere` } }),
      result: { permanent: false, statusCode: 302 },
    },
    { when: 'disconnects', responder: () => 'reset', result: { permanent: false, statusCode: null } },
    { when: 'never answers', responder: () => 'hang', result: { permanent: false, statusCode: null } },
  ];

  it.each(cases)('reports a retryable failure because it $when', async ({ responder, result }) => {
    http.respond(responder);
    const answer = await sendTo(sendables[type](), AbortSignal.timeout(400));
    expect(answer).toMatchObject({ ok: false, ...result, error: expect.stringMatching(/^[A-Z][^\n]+[^.]$/) });
    expect(http.requests).toHaveLength(1);
  });

  it('reports a retryable failure because the port is closed', async () => {
    await http.close();
    const answer = await sendTo(sendables[type]());
    http = await startHttpReceiver();
    expect(answer).toEqual({ ok: false, permanent: false, statusCode: null, error: 'Connection refused' });
  });
});

describe('webhook provider', () => {
  it.each([
    [200, { ok: true, statusCode: 200 }],
    [503, { ok: false, permanent: false, statusCode: 503, error: 'The receiver answered 503' }],
  ])('uses the status %i if the rest of the response breaks off', async (status, result) => {
    const head = `HTTP/1.1 ${status} So\r\ncontent-length: 9\r\n\r\n`;
    const server = createServer((socket) => socket.once('data', () => socket.end(head)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await sendTo({ type: 'webhook', config: { url: `http://127.0.0.1:${port}/` } })).toEqual(result);
    await new Promise((resolve) => server.close(resolve));
  });

  it('signs so that the published verifier accepts it, and sends the event as stored', async () => {
    await sendTo(sendables.webhook());
    const [request] = http.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request?.headers).toMatchObject({ 'webhook-id': message.id, 'content-type': expect.stringMatching(/json/) });
    const verified = new Webhook(SECRET).verify(request?.body ?? '', request?.headers as Record<string, string>);
    expect(verified).toEqual(message.payload);
  });

  it('uses a secret without prefix as bytes', async () => {
    await sendTo({ type: 'webhook', config: { url: http.url, secret: 'passphrase' } });
    const [request] = http.requests;
    const verifier = new Webhook(Buffer.from('passphrase'), { format: 'raw' });
    expect(verifier.verify(request?.body ?? '', request?.headers as Record<string, string>)).toEqual(message.payload);
  });
});

describe('slack provider', () => {
  it('shows text literally: no markup, no mention', async () => {
    await sendTo(sendables.slack());
    const body = JSON.parse(http.requests[0]?.body ?? '') as { text: string; blocks: unknown[] };
    expect(body.text).toContain('Pay &lt;b&gt;&amp;now&lt;/b&gt;');
    expect(body.text).toContain('HTTP &lt;503&gt;.');
    expect(body.blocks[0]).toEqual({
      type: 'header',
      text: { type: 'plain_text', text: message.headline, emoji: false },
    });
    expect(JSON.stringify(body.blocks)).toContain('<http://127.0.0.1:3000/incidents/i1|Open in Upwatch>');
  });

  it('respects the length of a header', async () => {
    await sendTo(sendables.slack(), undefined, { headline: '🐢'.repeat(200) });
    const { blocks } = JSON.parse(http.requests[0]?.body ?? '') as { blocks: { text: { text: string } }[] };
    const header = blocks[0]?.text.text ?? '';
    expect(header.length).toBeLessThanOrEqual(150);
    expect(header.isWellFormed()).toBe(true);
  });

  it("returns Slack's error", async () => {
    http.respond(() => ({ status: 403, body: 'action_prohibited' }));
    expect(await sendTo(sendables.slack())).toMatchObject({ error: 'Slack answered 403: action_prohibited' });
  });
});

describe('discord provider', () => {
  it('mentions nobody and shows no markup', async () => {
    await sendTo(sendables.discord());
    const body = JSON.parse(http.requests[0]?.body ?? '') as { embeds: { title: string }[]; allowed_mentions: unknown };
    expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(body.embeds[0]?.title).toBe('Pay \\<b\\>&now\\</b\\> \\@everyone \\*x\\* \\`y\\` is down');
  });

  it('returns the ID of a message, and replaces its text', async () => {
    http.respond(() => ({ status: 200, body: '{"id": "1234567890"}' }));
    expect(await sendTo(sendables.discord())).toEqual({ ok: true, statusCode: 200, ref: '1234567890' });
    const { type, config } = sendables.discord();
    const options = { signal: AbortSignal.timeout(5_000), teamId: 't1' };
    expect(await update(type, '1234567890', message, config, options)).toMatchObject({ ok: true, ref: '1234567890' });
    expect(http.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /discord?wait=true',
      'PATCH /discord/messages/1234567890',
    ]);
  });

  it("returns Discord's error", async () => {
    http.respond(() => ({ status: 404, body: '{"message": "Unknown Webhook", "code": 10015}' }));
    expect(await sendTo(sendables.discord())).toMatchObject({ error: 'Discord answered 404: Unknown Webhook' });
  });
});

describe('line provider', () => {
  it('shows a message once, even if the first response is lost', async () => {
    line.loseNextAnswer();
    const changed = { id: '01KACV6T3Q0000000000000009', headline: 'Only once' };
    expect(await sendTo(sendables.line(), undefined, changed)).toMatchObject({ ok: false, permanent: false });
    expect(await sendTo(sendables.line(), undefined, changed)).toEqual({ ok: true, statusCode: 409 });
    expect(line.shown.filter(({ text }) => text.startsWith('Only once\n'))).toHaveLength(1);
  });

  it("returns LINE's error for a wrong token", async () => {
    const result = await sendTo({ type: 'line', config: { channelAccessToken: 'wrong', to: 'U1' } });
    expect(result).toMatchObject({
      ok: false,
      permanent: true,
      statusCode: 401,
      error: expect.stringMatching(/^LINE answered 401: Auth/),
    });
  });

  it('truncates a very long message', async () => {
    const long = { id: '01KACV6T3Q0000000000000008', details: ['x'.repeat(9_000)] };
    expect(await sendTo(sendables.line(), undefined, long)).toMatchObject({ ok: true });
    expect(line.shown.at(-1)?.text).toMatch(/…\nhttp:/);
  });

  it('uses one retry key per delivery, a UUID', () => {
    expect(toUuid('a')).toBe(toUuid('a'));
    expect(toUuid('a')).not.toBe(toUuid('b'));
    expect(toUuid('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('names the property that LINE rejected', async () => {
    const details = [{ message: 'May not be empty', property: 'messages[0].text' }];
    const body = JSON.stringify({ message: 'The request body has 1 error(s)', details });
    line.respond(() => ({ status: 400, body }));
    expect(await sendTo(sendables.line())).toMatchObject({
      permanent: true,
      error: 'LINE answered 400: The request body has 1 error(s) messages[0].text: May not be empty',
    });
  });
});

describe('telegram provider', () => {
  const refuses = (
    answer: { error_code: number; description: string; parameters?: object },
    status = answer.error_code,
  ) => http.respond(() => ({ status, body: JSON.stringify({ ok: false, ...answer }) }));

  it('sends HTML in which all text is escaped', async () => {
    await sendTo(sendables.telegram());
    const [request] = http.requests;
    expect(request).toMatchObject({ method: 'POST', path: `/bot${TOKEN}/sendMessage` });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      chat_id: '-1001',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      text: [
        '<b>Pay &lt;b&gt;&amp;now&lt;/b&gt; @everyone *x* `y` is down</b>',
        'Since 2026-11-20 03:07:12 UTC.',
        'HTTP &lt;503&gt;.',
        '<a href="http://127.0.0.1:3000/incidents/i1">Open in Upwatch</a>',
      ].join('\n'),
    });
  });

  it('stays within 4,096 characters without markup', async () => {
    await sendTo(sendables.telegram(), undefined, { headline: '<🐢>'.repeat(900), details: ['&'.repeat(9_000)] });
    const { text } = JSON.parse(http.requests[0]?.body ?? '') as { text: string };
    const shown = text.replace(/<[^>]*>/g, '').replace(/&(lt|gt|amp);/g, 'x');
    expect(shown.length).toBeLessThanOrEqual(4_096);
    expect(shown.isWellFormed()).toBe(true);
    expect(text).toMatch(/Open in Upwatch<\/a>$/);
  });

  it.each([
    [400, 'Bad Request: chat not found'],
    [401, 'Unauthorized'],
    [403, 'Forbidden: bot was blocked by the user'],
    [404, 'Not Found'],
  ])('fails for good after %i', async (error_code, description) => {
    refuses({ error_code, description });
    const error = `Telegram answered ${error_code}: ${description}`;
    expect(await sendTo(sendables.telegram())).toEqual({ ok: false, permanent: true, statusCode: error_code, error });
  });

  it('waits as long as Telegram asks', async () => {
    const parameters = { retry_after: 35 };
    refuses({ error_code: 429, description: 'Too Many Requests: retry after 35', parameters });
    expect(await sendTo(sendables.telegram())).toMatchObject({ ok: false, permanent: false, retryAfterSeconds: 35 });
  });

  it('retries after 500, and treats ok: false as a rejection whatever the status', async () => {
    refuses({ error_code: 500, description: 'Internal Server Error' });
    expect(await sendTo(sendables.telegram())).toMatchObject({ ok: false, permanent: false, statusCode: 500 });
    refuses({ error_code: 403, description: 'Forbidden: bot was kicked' }, 200);
    expect(await sendTo(sendables.telegram())).toMatchObject({ ok: false, permanent: true });
  });

  it('follows a group that became a supergroup, once', async () => {
    const moved = { error_code: 400, description: 'Bad Request: group chat was upgraded to a supergroup chat' };
    const refusal = JSON.stringify({ ok: false, ...moved, parameters: { migrate_to_chat_id: -1001234567890 } });
    http.respond(({ body }) =>
      JSON.parse(body).chat_id === '-1001' ? { status: 400, body: refusal } : { status: 200, body: '{"ok":true}' },
    );
    expect(await sendTo(sendables.telegram())).toEqual({ ok: true, statusCode: 200 });
    expect(http.requests.map(({ body }) => JSON.parse(body).chat_id)).toEqual(['-1001', '-1001234567890']);
    http.respond(() => ({ status: 400, body: refusal }));
    expect(await sendTo(sendables.telegram())).toMatchObject({ ok: false, permanent: true });
    expect(http.requests).toHaveLength(4);
  });

  it("retries after a proxy's 404, which is not the JSON of the Bot API", async () => {
    http.respond(() => ({ status: 404, body: '<html>Not Found</html>' }));
    expect(await sendTo(sendables.telegram())).toMatchObject({ ok: false, permanent: false, statusCode: 404 });
  });

  it('never shows the token', async () => {
    http.respond(() => 'reset');
    expect(JSON.stringify(await sendTo(sendables.telegram()))).not.toContain(TOKEN);
    refuses({ error_code: 404, description: 'Not Found' });
    expect(JSON.stringify(await sendTo(sendables.telegram()))).not.toContain(TOKEN);
  });
});

describe('email provider', () => {
  it('has the same content in text and HTML, with all text escaped', async () => {
    const before = smtp.mails.length;
    await sendTo(sendables.email());
    const mail = smtp.mails[before];
    expect(mail?.to).toEqual(['ops@example.com']);
    expect(mail?.headers.subject).toBe(message.headline);
    const plain = mail?.parts.find(({ type }) => type.startsWith('text/plain'))?.content ?? '';
    const html = mail?.parts.find(({ type }) => type.startsWith('text/html'))?.content ?? '';
    for (const text of [message.headline, ...message.details, message.url]) expect(plain).toContain(text);
    expect(html).toContain('Pay &lt;b&gt;&amp;now&lt;/b&gt;');
    expect(html).toContain('HTTP &lt;503&gt;.');
    expect(html).not.toContain('<b>');
    expect(html).toContain('<a href="http://127.0.0.1:3000/incidents/i1"');
  });

  it.each([
    { code: 550, permanent: true },
    { code: 451, permanent: false },
  ])('fails for good after $code: $permanent', async ({ code, permanent }) => {
    smtp.refuse(code);
    const result = await sendTo(sendables.email());
    expect(result).toMatchObject({
      ok: false,
      permanent,
      statusCode: null,
      error: expect.stringContaining(String(code)),
    });
  });

  it('sends a very long text in full, with a subject of at most 200 characters', async () => {
    const before = smtp.mails.length;
    const lines = Array.from({ length: 2_000 }, (_, index) => `Monitor ${index} <b>Жук 🐢</b> is down.`);
    const long = { headline: 'Ж🐢<b>"'.repeat(250), details: [`${lines.join(' ')} END`] };
    expect(await sendTo(sendables.email(), undefined, long)).toMatchObject({ ok: true });
    const mail = smtp.mails[before];
    const subject = String(mail?.headers.subject);
    expect([...subject].length).toBeLessThanOrEqual(200);
    expect(subject.isWellFormed()).toBe(true);
    const [plain = '', html = ''] = ['text/plain', 'text/html'].map(
      (wanted) => mail?.parts.find(({ type: found }) => found.startsWith(wanted))?.content,
    );
    for (const text of [long.headline, ...long.details, message.url]) expect(plain).toContain(text);
    expect(html).toContain('&lt;b&gt;Жук 🐢&lt;/b&gt; is down. END');
    expect(html).not.toContain('<b>');
    expect(html).toContain(`<a href="${message.url}"`);
  });

  it('uses one Message-ID for all attempts', async () => {
    const before = smtp.mails.length;
    await sendTo(sendables.email());
    await sendTo(sendables.email());
    const ids = smtp.mails.slice(before).map(({ headers }) => headers['message-id']);
    expect(ids).toEqual([`<${message.id}@localhost>`, `<${message.id}@localhost>`]);
  });

  it('puts all mails about an incident into one thread', async () => {
    const before = smtp.mails.length;
    await sendTo(sendables.email());
    const thread = `<incident-${message.payload.data.incident?.id}@localhost>`;
    expect(smtp.mails[before]?.headers).toMatchObject({ 'in-reply-to': thread, references: thread });
  });

  it('puts a mail about several incidents into the thread of each', async () => {
    const before = smtp.mails.length;
    const { send: sendMessage } = await import('@/server/notifications/providers');
    const options = { signal: AbortSignal.timeout(5_000), teamId: 't' };
    const several = { ...message, incidentIds: ['one', 'two', 'three'] };
    await sendMessage('email', several, { to: 'ada@example.test' }, options);
    const [one, two, three] = several.incidentIds.map((id) => `<incident-${id}@localhost>`);
    expect(smtp.mails[before]?.headers).toMatchObject({ 'in-reply-to': three, references: `${one} ${two} ${three}` });
  });

  it('cannot be reordered by a name, and keeps names of right-to-left languages', async () => {
    const before = smtp.mails.length;
    const { send: sendMessage } = await import('@/server/notifications/providers');
    const headline = '\u202eevil\u2066 متجر\u200f is down';
    const config = { to: 'ada@example.test' };
    const options = { signal: AbortSignal.timeout(5_000), teamId: 't' };
    await sendMessage('email', { ...message, headline }, config, options);
    const parts = smtp.mails[before]?.parts.map(({ content }) => content).join('') ?? '';
    expect(parts).toContain('evil متجر\u200f is down');
    expect(parts).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('is not blocked by a mail server that does not respond', async () => {
    const aborted = AbortSignal.timeout(1);
    await until(() => aborted.aborted);
    expect(await sendTo(sendables.email(), aborted)).toMatchObject({ ok: false, permanent: false });
  });
});
