import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChannel } from '@/server/notifications/create-channel';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { readChannel } from '@/server/notifications/queries';
import { PreviewMessageInput, TemplatedEvent } from '@/server/notifications/schema';
import { previewMessage } from '@/server/notifications/templates/preview-message';
import { readTemplates, setTemplates } from '@/server/notifications/templates/set-templates';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { TeamContext } from '@/server/trpc/contexts';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { deliver, newMonitor, newTeam, newWebhook, openedEvent } from './support';

let ctx: TeamContext;
let person: Person;
let receiver: HttpReceiver;
let id: string;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  ctx = await newTeam();
  await db.team.update({ where: { id: ctx.team.id }, data: { groupSeconds: 0 } });
  const config = { webhookUrl: `${receiver.url}/slack` };
  ({ id } = await createChannel({ ctx, input: { type: 'slack', name: 'Chat', config } }));
  person = await signUp();
});
afterAll(() => receiver.close());

const opened = (subject: string | null, body: string | null) => ({ event: 'incident.opened', subject, body }) as const;

/** The message to Slack for an incident. */
async function send(monitorName: string): Promise<{ text: string; blocks: { text: { text: string } }[] }> {
  const event = await openedEvent(ctx, await newMonitor(ctx.team.id, monitorName));
  await db.$transaction((tx) => createDeliveries(tx, [event]));
  await deliver(id);
  return JSON.parse(receiver.requests.at(-1)?.body ?? '');
}

describe('the templates of a channel', () => {
  it('write its messages, whose values the provider escapes', async () => {
    await setTemplates({
      ctx,
      input: { id, templates: [opened('Pager: {{monitor.name}}', 'Why: {{incident.cause}}')] },
    });
    const { text, blocks } = await send('<!channel> & Co');
    expect(blocks[0]?.text.text).toBe('Pager: <!channel> & Co');
    expect(blocks[1]?.text.text).toBe('Why: HTTP 503');
    expect(text).toBe('Pager: &lt;!channel&gt; &amp; Co\nWhy: HTTP 503');
    expect(JSON.stringify(blocks)).toContain('|Open in Upwatch>');
  });

  it('fall back to the texts of Upwatch for what is not set, or comes out empty', async () => {
    await setTemplates({ ctx, input: { id, templates: [opened('{{actor}}', null)] } });
    const { blocks } = await send('Checkout');
    expect(blocks[0]?.text.text).toBe('Checkout is down');
    expect(blocks[1]?.text.text).toMatch(/^Started at 2026-11-20 03:07:12 UTC\./);
  });

  it('shortens templates to the limits of the provider, and keeps the link', async () => {
    await setTemplates({ ctx, input: { id, templates: [opened(null, '{{incident.cause}}'.repeat(222))] } });
    const { blocks } = await send('Checkout');
    expect(blocks[1]?.text.text.length).toBeLessThanOrEqual(3000);
    expect(JSON.stringify(blocks)).toContain('|Open in Upwatch>');
  });

  it('stores templates with an audit entry, and keeps the version of the settings', async () => {
    const { updatedAt } = await readChannel({ ctx, input: { id } });
    const templates = [opened('{{headline}}', null)];
    expect(await setTemplates({ ctx, input: { id, templates } })).toEqual(templates);
    expect(await readTemplates({ ctx, input: { id } })).toEqual(templates);
    expect((await readChannel({ ctx, input: { id } })).updatedAt).toBe(updatedAt);
    const entries = () => db.auditEntry.findMany({ where: { targetId: id }, orderBy: { id: 'desc' } });
    const before = await entries();
    expect(before[0]).toMatchObject({ action: 'channel.update', after: { templates } });
    await setTemplates({ ctx, input: { id, templates } });
    expect(await entries()).toHaveLength(before.length);
  });

  it('rejects templates for kinds that get every event as it is', async () => {
    const { id: webhook } = await newWebhook(ctx, receiver.url);
    const refused = setTemplates({ ctx, input: { id: webhook, templates: [opened('x', null)] } });
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each([
    [
      'an unknown placeholder',
      [opened('{{monitor.nam}}', null)],
      'templates.0.subject',
      /Did you mean \{\{monitor\.name\}\}/,
    ],
    ['two lines in a subject', [opened('a\nb', null)], 'templates.0.subject', /one line/],
    ['a body that is too long', [opened(null, 'x'.repeat(4001))], 'templates.0.body', /at most 4,000/],
    ['an event twice', [opened('a', null), opened('b', null)], 'templates.1.event', /one template/],
    ['a test message', [{ event: 'channel.test', subject: 'a', body: null }], 'templates.0.event', /./],
  ])('reject %s', async (_what, templates, path, message) => {
    const body = { type: 'slack', name: 'Chat', config: { webhookUrl: 'https://hooks.slack.com/services/T/B/x' } };
    const made = await rest('POST', '/dashboard/notification-channels', { token: person.token, body });
    const url = `/dashboard/notification-channels/${made.body.channel.id}/templates`;
    const answer = await rest('PUT', url, { token: person.token, body: { templates } });
    expect(answer.status).toBe(400);
    expect(answer.body.error.issues).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it('hides the templates of a channel from another team', async () => {
    const outsider = await newTeam();
    await expect(readTemplates({ ctx: outsider, input: { id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(setTemplates({ ctx: outsider, input: { id, templates: [] } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

/** A body that repeats the longest value, as often as a body may. */
const REPEATED = '{{details}}'.repeat(1_800);

describe('a custom request whose body repeats a long value', () => {
  const team = newTeam();
  const config = (body: string) => ({ url: `${receiver.url}/custom`, body, contentType: 'form' as const });

  it('is sent once, with its values shortened to what is accepted', async () => {
    const own = await team;
    const { id: channelId } = await createChannel({
      ctx: own,
      input: { type: 'custom', name: 'Own', config: { ...config(REPEATED), method: 'POST' } },
    });
    const event = await openedEvent(own, await newMonitor(own.team.id, 'Long'));
    const { incident } = event.data;
    const long = { ...event, data: { ...event.data, incident: incident && { ...incident, cause: '€'.repeat(4_000) } } };
    await db.$transaction((tx) => createDeliveries(tx, [long]));
    const row = await db.delivery.findFirstOrThrow({ where: { channelId } });
    await deliver(row.channelId);
    const body = receiver.requests.at(-1)?.body ?? '';
    expect(body.length).toBeGreaterThan(30_000);
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(await db.delivery.findUnique({ where: { id: row.id } })).toMatchObject({ status: 'delivered' });
  });

  it('is rejected at its field where it can never be sent', async () => {
    const own = await team;
    const input = { type: 'custom', name: 'Own', config: config('{{url}}'.repeat(2_500)) };
    const answer = await rest('POST', '/dashboard/notification-channels', { token: person.token, body: input });
    expect(answer.status).toBe(400);
    expect(answer.body.error.issues).toEqual([
      { path: 'config.body', message: expect.stringMatching(/at most 65,536 are sent\. Use fewer placeholders\.$/) },
    ]);
    expect(own.team.id).not.toBe('');
  });

  it('fails for good with its reason where an earlier version stored one that can never be sent', async () => {
    const own = await newTeam();
    const channel = await db.channel.create({
      data: {
        id: newId(),
        teamId: own.team.id,
        type: 'custom',
        name: 'Former',
        config: config('{{url}}'.repeat(2_500)),
      },
    });
    const event = await openedEvent(own, await newMonitor(own.team.id, 'Long'));
    await db.$transaction((tx) => createDeliveries(tx, [event]));
    const row = await db.delivery.findFirstOrThrow({ where: { channelId: channel.id } });
    await deliver(row.channelId);
    const stored = await db.delivery.findUniqueOrThrow({ where: { id: row.id }, include: { attempts: true } });
    expect(stored).toMatchObject({ status: 'failed', nextAttemptAt: null, attempts: [{ statusCode: null }] });
    expect(stored.attempts[0]?.error).toMatch(/^The settings of this channel are not valid: .*Use fewer placeholders$/);
  });

  it('is shown by a preview as it is sent', async () => {
    const own = await team;
    const input = PreviewMessageInput.parse({ type: 'custom', config: config(REPEATED) });
    const shown = await previewMessage({ ctx: own, input });
    expect(shown.isShortened).toBe(true);
    expect(shown.request?.body.length).toBeLessThanOrEqual(65_536);
  });
});

describe('the preview of a message', () => {
  const preview = (input: object, by = ctx) => previewMessage({ ctx: by, input: PreviewMessageInput.parse(input) });

  it('shows the latest incident of the team in the request of the provider, without sending or showing secrets', async () => {
    const event = await openedEvent(ctx, await newMonitor(ctx.team.id, 'Latest'));
    await db.$transaction((tx) => createDeliveries(tx, [event]));
    const before = receiver.requests.length;
    const shown = await preview({ id, subject: 'Look: {{monitor.name}}', body: null });
    expect(shown).toMatchObject({ incidentId: event.incidentId, headline: 'Look: Latest', isShortened: false });
    expect(JSON.parse(shown.request?.body ?? '').blocks[0].text.text).toBe('Look: Latest');
    expect(shown.request).toMatchObject({ method: 'POST', url: `${receiver.url}/••••` });
    expect(JSON.stringify(shown)).not.toContain('/slack');
    expect(receiver.requests).toHaveLength(before);
  });

  it('shows an example to a team without incidents, for each event', async () => {
    const team = await newTeam();
    for (const event of TemplatedEvent.options) {
      const shown = await preview({ type: 'email', config: { to: 'a@example.test' }, event }, team);
      expect(shown).toMatchObject({ incidentId: null, headline: expect.stringContaining('Checkout API') });
      expect(shown.request).toMatchObject({ method: 'SMTP', url: 'mailto:a@example.test' });
    }
  });

  it('says that the limits of the provider cut a text', async () => {
    const config = { webhookUrl: 'https://hooks.slack.com/services/T/B/x' };
    const team = await newTeam();
    const long = await preview({ type: 'slack', config, body: '{{details}}'.repeat(350) }, team);
    expect(long.isShortened).toBe(true);
    expect(long.request?.body).toMatch(/\|Acknowledge>.*\|Open in Upwatch>/);
    const title = await preview({ type: 'slack', config, subject: `${'x'.repeat(190)}` }, team);
    expect(title.isShortened).toBe(true);
    expect((await preview({ type: 'slack', config, subject: 'x'.repeat(150) }, team)).isShortened).toBe(false);
  });

  it.each([
    ['custom', { url: 'https://example.test/', body: '{{headline}}' }],
    ['webhook', { url: 'https://example.test/', secret: 'a secret' }],
  ])('calls a request of %s without details complete', async (type, config) => {
    expect(await preview({ type, config }, await newTeam())).toMatchObject({ isShortened: false });
  });

  it('shows a link that acknowledges nothing', async () => {
    const shown = await preview({
      type: 'slack',
      config: { webhookUrl: 'https://hooks.slack.com/T' },
      body: '{{acknowledgeUrl}}',
    });
    const token = /\/acknowledge\/(\S+)/.exec(shown.details.join(' '))?.[1] ?? '';
    expect((await rest('GET', `/auth/acknowledgment/${token}`)).status).toBe(404);
  });

  it('rejects a wrong config, an unknown placeholder, and the channel of another team', async () => {
    await expect(preview({ type: 'slack', config: { webhookUrl: 'x' } })).rejects.toThrow(/config/);
    await expect(preview({})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(() => PreviewMessageInput.parse({ id, subject: '{{nothing}}' })).toThrow(/Unknown placeholder/);
    await expect(preview({ id }, await newTeam())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
