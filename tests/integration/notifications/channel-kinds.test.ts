import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { IncidentSeverity } from '@/server/monitor-types/schema';
import type { Message } from '@/server/notifications/messages/message';
import type { ChannelConfig, ChannelType } from '@/server/notifications/schema';
import { httpKinds, kindSpecs } from '@/tests/support/channel-kinds';
import type { Answer, KindSpec, Markup } from '@/tests/support/channel-kinds/spec';
import { type ReceivedRequest, startHttpReceiver } from '@/tests/support/receivers';

const server = await startHttpReceiver();
Object.assign(process.env, { CHANNEL_API_GATEWAY: server.url, LINE_API_BASE_URL: `${server.url}/api.line.me` });
const { send, update } = await import('@/server/notifications/providers');
const { toMessage } = await import('@/server/notifications/messages/to-message');
const { channelDefinitionOf, textLimitOf } = await import('@/server/notifications/providers/definitions');

afterAll(() => server.close());

const NAME = `It's <!channel> @everyone @all **loud** [click](https://evil.example) <https://evil.example|click> a|b <b>bold</b> <@all> "x" {{url}} \`y\` C:\\d \\`;
const started = '2026-11-20T03:07:12.000Z';
const incident = {
  id: 'i1',
  type: 'downtime',
  status: 'open',
  cause: 'HTTP 503',
  startedAt: started,
  resolvedAt: null,
};
const message: Message = {
  id: '01KACV6T3Q0000000000000000',
  payload: {
    type: 'incident.opened',
    timestamp: started,
    data: { incident: { ...incident, severity: 'critical' }, monitor: { id: 'm1', name: NAME } },
  },
  tone: 'down',
  headline: `${NAME} is down`,
  details: [`Started at ${started}.`, `${NAME} answered HTTP <503>.`],
  url: 'http://127.0.0.1:3000/incidents/i1',
};
const acknowledgeUrl = `http://127.0.0.1:3000/acknowledge/${'t'.repeat(150)}`;

type Spec = KindSpec & { of: ChannelType };
const specs = httpKinds.map((type) => ({ ...(kindSpecs[type] as unknown as KindSpec), of: type }));

const options = (timeoutMs = 5_000) => ({ signal: AbortSignal.timeout(timeoutMs), teamId: 't1' });
const configOf = (spec: Spec) => spec.config(server.url) as ChannelConfig<never>;
const sendTo = (spec: Spec, changed: Partial<Message> = {}, timeoutMs?: number) =>
  send(spec.of as never, { ...message, ...changed }, configOf(spec), options(timeoutMs));

/** The violation of the documentation by a request; null without one. */
function problemOf(spec: Spec, request: ReceivedRequest, wanted: RegExp): string | null {
  const { method, path, headers } = request;
  if (!wanted.test(`${method} ${path}`)) return `${method} ${path}`;
  const wrong = Object.entries(spec.headers).find(([name, value]) => !value.test(String(headers[name])));
  if (wrong) return `${wrong[0]}: ${headers[wrong[0]]}`;
  const { error } = spec.body.safeParse(spec.read(request));
  return error ? error.message : null;
}

/** The server responds like the provider, and rejects what its documentation forbids. */
function strictly(spec: Spec, wanted = spec.request): void {
  server.respond((request) => {
    const problem = problemOf(spec, request, wanted);
    return problem === null ? spec.good : { status: 418, body: problem };
  });
}

const lastRequest = () => server.requests.at(-1) as ReceivedRequest;
const textOf = (spec: Spec) => spec.text(spec.read(lastRequest()) as never);

const unescaped = [/(^|[^\\])\*\*loud/, /(^|[^\\])\[click/, /(^|[^\\])`y/];

/** Markup that has an effect where a name has it unescaped. */
const active: Record<Markup, RegExp[]> = {
  plain: [],
  html: [/<b>bold/, /<!channel>/, /<@all>/, /<https:/],
  discord: [/(^|[^\\])@everyone/, ...unescaped],
  mattermost: [/@(everyone|all)/, /<!channel>/, /<https:[^>]*\|/, ...unescaped],
  // A backslash before a bracket or a bar is text there: links and spoilers have to be parted.
  rocketchat: [/@(everyone|all)/, /(^|[^\\])\*/, /(^|[^\\])`y/, /\]\(https:\/\/evil/, /example\|/, /\|\|/],
  webex: [/<@all>/, /<b>bold/, /<https:/, ...unescaped],
  // It has no backslash escapes.
  zulip: [/\*\*loud/, /\[click/, /`y/, /@(everyone|all)/, /<https:/],
};

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
const entity = (name: string) => ENTITIES[name] ?? String.fromCharCode(Number(name.slice(1)));
const withEntities = (text: string) => text.replace(/&(lt|gt|quot|amp|#\d+);/g, (_, name: string) => entity(name));

/** What a provider reads as an escape: a backslash before some characters, an entity, or both. */
const readers: Record<Markup, (text: string) => string> = {
  plain: (text) => text,
  html: withEntities,
  discord: (text) => text.replace(/\\([^\w\s])/g, '$1'),
  // https://github.com/mattermost/marked: inline.escape
  mattermost: (text) => withEntities(text.replace(/\\([`*{}[\]()#+\-.!_>|~]|\\(?!\w))/g, '$1')),
  // https://github.com/RocketChat/Rocket.Chat: packages/message-parser, tests/escaped.test.ts
  rocketchat: (text) => text.replace(/\\([*_~`#.])/g, '$1').replaceAll(' |', '|'),
  // CommonMark: an escape is not part of an entity.
  webex: (text) =>
    text.replace(
      /\\([!-/:-@[-`{-~])|&(lt|gt|quot|amp|#\d+);/g,
      (_, escaped?: string, name = '') => escaped ?? entity(name),
    ),
  // https://github.com/zulip/zulip: zerver/lib/markdown, build_inlinepatterns
  zulip: withEntities,
};

/** The texts as people read them. */
const shown = (markup: Markup, text: string) => readers[markup](text).replaceAll('\u200b', '');

beforeEach(() => {
  server.requests.length = 0;
});

describe.each(specs)('channel kind $of', (spec) => {
  const { of: type, failure, good, throttled, actions, severities, markup } = spec;
  const isMirror = channelDefinitionOf(type).mirrorsIncidents === true;
  const refused = (status: number, permanent: boolean) => ({ ok: false, permanent, statusCode: status });

  it('sends all events of an incident as its documentation demands', async () => {
    strictly(spec);
    const events = [
      { name: 'opened', tone: 'down', actor: undefined, timestamp: '2026-11-20T03:07:42.000Z' },
      { name: 'acknowledged', tone: 'acknowledged', actor: 'Robin', timestamp: '2026-11-20T03:09:12.000Z' },
      { name: 'resolved', tone: 'up', actor: undefined, timestamp: '2026-11-20T03:21:12.000Z' },
    ] as const;
    for (const { name, tone, actor, timestamp } of events) {
      const { data } = message.payload;
      const payload = {
        ...message.payload,
        timestamp,
        type: `incident.${name}` as const,
        data: { ...data, ...(actor && { actor }) },
      };
      expect(await sendTo(spec, { payload, tone })).toMatchObject({ ok: true, statusCode: good.status });
      if (actions) expect(actions.of(lastRequest())).toEqual(actions[name]);
    }
  });

  it('shows each severity of an incident', async () => {
    strictly(spec);
    for (const severity of IncidentSeverity.options) {
      const data = { incident: { ...incident, severity }, monitor: { id: 'm1', name: 'API' } };
      const payload = { ...message.payload, data };
      const { tone, headline, details } = toMessage(message.id, payload, { id: 'c1', type });
      expect(await sendTo(spec, { payload, tone, headline, details })).toMatchObject({ ok: true });
      // A text says it unless the headline implies it: "API is down" is critical.
      if (severities) expect(severities.of(lastRequest())).toBe(severities[severity]);
      else if (severity === 'critical') expect(shown(markup, textOf(spec))).not.toContain('Severity');
      else expect(shown(markup, textOf(spec))).toContain(`Severity: ${severity}`);
    }
  });

  it('sends a test', async () => {
    strictly({ ...spec, request: type === 'custom' ? /^PUT \/alerts\/0{26}\?/ : spec.request });
    const payload = { type: 'channel.test' as const, timestamp: started, data: { incident: null, monitor: null } };
    expect(await sendTo(spec, { payload, tone: 'neutral', headline: 'Test', details: ['It works.'] })).toMatchObject({
      ok: true,
    });
  });

  it.runIf(channelDefinitionOf(type).category === 'paging')('opens and resolves one alert as a test', async () => {
    strictly(spec);
    const payload = { type: 'channel.test' as const, timestamp: started, data: { incident: null, monitor: null } };
    const test: Partial<Message> = { payload, tone: 'neutral', headline: 'Test', details: ['It works.'] };
    expect(await sendTo(spec, test)).toMatchObject({ ok: true });
    const [first, second, ...others] = server.requests;
    if (!first || !second) throw new Error('The test sent no two requests.');
    expect(others).toEqual([]);
    for (const { path, body } of [first, second]) expect(path + body).toContain(message.id);
    // The alert has another key than that of the incident, and another time.
    const withoutTimes = (action: unknown) => JSON.stringify(action).replace(/"20[^"]*Z"/g, '""');
    const actionOf = (request: ReceivedRequest) => withoutTimes(actions?.of(request)).replaceAll(message.id, 'i1');
    expect(actionOf(first)).not.toBe(actionOf(second));
    expect(actionOf(second)).toBe(withoutTimes(actions?.resolved));
    server.respond(() => (server.requests.length === 3 ? good : { status: 500 }));
    const unresolved = expect.stringContaining('could not be resolved');
    expect(await sendTo(spec, test)).toMatchObject({ ok: false, error: unresolved });
  });

  it('shows names literally', async () => {
    strictly(spec);
    await sendTo(spec);
    const text = textOf(spec);
    for (const pattern of active[markup]) expect(text).not.toMatch(pattern);
    const name = type === 'webhook' ? JSON.stringify(NAME).slice(1, -1) : NAME;
    expect(shown(markup, text)).toContain(markup === 'plain' ? name.slice(0, 40) : name);
  });

  it('keeps within the limits of the provider, and keeps the links', async () => {
    strictly(spec);
    const details = Array.from({ length: 500 }, (_, index) => `Monitor ${index} <&*_> Жук 🐢 is down.`);
    const long = { headline: 'Ж🐢<&*_"'.repeat(250), details, ...(!isMirror && { acknowledgeUrl }) };
    expect(await sendTo(spec, long)).toMatchObject({ ok: true });
    const { body } = lastRequest();
    const text = JSON.stringify(spec.read(lastRequest()));
    expect(body.isWellFormed()).toBe(true);
    if (type !== 'webhook') expect(text).toContain(message.url);
    if (!isMirror) expect(text).toContain(acknowledgeUrl);
  });

  it('keeps within the limits of the provider if every character is escaped', async () => {
    strictly(spec);
    const long = { headline: '"\\'.repeat(2_000), details: ['\n"\\'.repeat(20_000)] };
    expect(await sendTo(spec, { ...long, ...(!isMirror && { acknowledgeUrl }) })).toMatchObject({ ok: true });
  });

  it.skipIf(isMirror)('shows a text as long as a group of alerts may be in full', async () => {
    strictly(spec);
    const headline = '500 monitors are down';
    const room = textLimitOf(type) - headline.length - 1;
    const names = Array.from({ length: room / 10 }, (_, index) => `api_eu-${index} ü`.padEnd(14, 'x')).join(', ');
    const details = [`${names.slice(0, room - 4)} END`];
    expect(await sendTo(spec, { headline, details })).toMatchObject({ ok: true });
    expect(JSON.stringify(spec.read(lastRequest()))).toContain(' END');
  });

  it.each(spec.permanent)('does not retry after %i in the form of the provider', async (status) => {
    server.respond(() => failure(status, 'No such thing'));
    expect(await sendTo(spec)).toMatchObject({
      ...refused(status, true),
      error: expect.stringContaining(String(status)),
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each(spec.passing)('retries after %i, without waiting for a limit that was not reached', async (status) => {
    server.respond(() => failure(status, 'Try later'));
    const result = await sendTo(spec);
    expect(result).toMatchObject(refused(status, false));
    expect(result).not.toHaveProperty('retryAfterSeconds');
  });

  it.each(spec.judged ?? [])('judges $answer.status by $answer.body', async ({ answer, permanent }) => {
    server.respond(() => answer);
    expect(await sendTo(spec)).toMatchObject(refused(answer.status, permanent));
  });

  it.each([401, 403, 502])('retries after a %i page of a proxy', async (status) => {
    server.respond(() => ({ status, body: '<html><h1>Sorry</h1></html>' }));
    expect(await sendTo(spec)).toMatchObject(refused(status, false));
  });

  it('waits as long as the provider asks', async () => {
    server.respond(() => throttled.answer);
    const result = await sendTo(spec);
    expect(result).toMatchObject(refused(429, false));
    const seconds = 'retryAfterSeconds' in result ? result.retryAfterSeconds : undefined;
    // A time of day that a header names is a few seconds nearer by now.
    expect(seconds).toBeLessThanOrEqual(throttled.seconds);
    expect(seconds).toBeGreaterThan(throttled.seconds - 120);
  });

  it('gives up on a provider that does not answer', async () => {
    server.respond(() => 'hang');
    expect(await sendTo(spec, {}, 150)).toMatchObject({ ok: false, permanent: false, statusCode: null });
  });

  it('shows no secret in an error that repeats it, and stores none', async () => {
    const echo: Answer = failure(spec.passing[0] ?? 500, `Invalid: ${spec.secrets.join(' and ')}`);
    server.respond(() => echo);
    const kept = { ...options(), withExchange: true };
    const result = JSON.stringify(await send(spec.of as never, message, configOf(spec), kept));
    expect(result).toContain('"exchange"');
    for (const secret of spec.secrets) expect(result).not.toContain(secret);
  });

  if (spec.update) {
    const { ref, request } = spec.update;
    it('changes a message that it sent', async () => {
      strictly(spec);
      expect(await sendTo(spec)).toEqual({ ok: true, statusCode: good.status, ref });
      strictly(spec, request);
      const changed = { ...message, headline: 'Three monitors are down' };
      expect(await update(type as never, ref, changed, configOf(spec), options())).toMatchObject({ ok: true, ref });
      expect(textOf(spec)).toContain('Three monitors are down');
    });
  }
});

it('sends alerts to Jira Service Management as to Opsgenie', async () => {
  server.respond(() => kindSpecs.opsgenie.good);
  const config = { apiKey: 'opsgenie-secret-key', region: 'jsm' } as const;
  expect(await send('opsgenie', message, config, options())).toMatchObject({ ok: true, statusCode: 202 });
  expect(lastRequest().path).toBe('/api.atlassian.com/jsm/ops/integration/v2/alerts');
});

it('requests the Bot API of Telegram through the gateway', async () => {
  const botToken = `123456789:${'A'.repeat(35)}`;
  server.respond(() => kindSpecs.telegram.good);
  await send('telegram', message, { botToken, chatId: '-1', apiUrl: 'https://api.telegram.org/' }, options());
  expect(lastRequest().path).toBe(`/api.telegram.org/bot${botToken}/sendMessage`);
});

describe('without ALLOW_PRIVATE_TARGETS', async () => {
  vi.resetModules();
  vi.stubEnv('ALLOW_PRIVATE_TARGETS', 'false');
  vi.stubEnv('CHANNEL_API_GATEWAY', '');
  const guarded = await import('@/server/notifications/providers');
  vi.unstubAllEnvs();
  const withUrl = specs.filter((spec) => JSON.stringify(configOf(spec)).includes(server.url));

  it.each(withUrl)('$of sends nothing to a private address', async (spec) => {
    strictly(spec);
    const result = await guarded.send(spec.of as never, message, configOf(spec), options());
    expect(result).toMatchObject({ ok: false, permanent: true, statusCode: null });
    expect(server.requests).toHaveLength(0);
  });
});
