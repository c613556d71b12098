import { describe, expect, it } from 'vitest';
import { CreateChannelInput, channelTypes, UpdateChannelInput } from '@/server/notifications/schema';
import { ChannelType as StoredType } from '@/server/platform/generated/prisma/enums';

const url = 'https://hooks.example.com/T0/B0/secret';

const twilio = { accountSid: `AC${'1'.repeat(32)}`, authToken: 'b'.repeat(32), to: '+15550123456' };

describe('new channel schema', () => {
  it.each([
    { type: 'email', config: { to: 'ops@example.com' } },
    { type: 'slack', config: { webhookUrl: url } },
    { type: 'discord', config: { webhookUrl: 'http://127.0.0.1:4000/x' } },
    { type: 'line', config: { channelAccessToken: 'abc/def+ghi=', to: 'U4af4980629' } },
    { type: 'telegram', config: { botToken: `1:${'A'.repeat(35)}`, chatId: '@ops_team', apiUrl: 'https://t.example' } },
    { type: 'webhook', config: { url } },
    { type: 'webhook', config: { url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
    { type: 'webhook', config: { url, secret: 'passphrase' } },
    { type: 'pagerduty', config: { routingKey: 'a'.repeat(32), region: 'eu' } },
    ...['+15550100', '12345', 'Upwatch', 'Ops-EU +1', `MG${'a'.repeat(32)}`].map((from) => {
      return { type: 'twilio', config: { ...twilio, from } };
    }),
    { type: 'signal', config: { serverUrl: 'https://signal.example', number: '+15550100', to: 'group.abc=' } },
    {
      type: 'custom',
      config: { method: 'GET', url: `${url}/{{incident.id}}`, contentType: 'form', headers: '', body: '' },
    },
  ])('accepts $type with $config', (input) => {
    expect(CreateChannelInput.parse({ ...input, name: ' Ops ' })).toEqual({ ...input, name: 'Ops' });
  });

  it.each([
    { type: 'pager', config: {}, path: 'type' },
    { type: 'email', config: { to: 'nobody' }, path: 'config.to' },
    { type: 'email', config: { to: 'a@example.com, b@example.com' }, path: 'config.to' },
    { type: 'email', config: { to: ['a@example.com'] }, path: 'config.to' },
    { type: 'email', config: {}, path: 'config.to' },
    { type: 'email', config: { to: 'a@example.com', cc: 'b@example.com' }, path: 'config' },
    { type: 'slack', config: { webhookUrl: 'ftp://example.com/x' }, path: 'config.webhookUrl' },
    { type: 'slack', config: { webhookUrl: 'example.com' }, path: 'config.webhookUrl' },
    { type: 'slack', config: { url }, path: 'config' },
    { type: 'webhook', config: { url: 'https://user:pass@example.com/' }, path: 'config.url' },
    { type: 'webhook', config: { url: `https://example.com/${'x'.repeat(2100)}` }, path: 'config.url' },
    { type: 'webhook', config: { url, secret: 'whsec_not base64' }, path: 'config.secret' },
    { type: 'webhook', config: { url, secret: 'whsec_' }, path: 'config.secret' },
    { type: 'webhook', config: { url, secret: '' }, path: 'config.secret' },
    { type: 'line', config: { channelAccessToken: 'a\r\nX-Evil: 1', to: 'U1' }, path: 'config.channelAccessToken' },
    { type: 'line', config: { channelAccessToken: 'abc' }, path: 'config.to' },
    { type: 'line', config: null, path: 'config' },
    { type: 'pagerduty', config: { routingKey: 'short' }, path: 'config.routingKey' },
    { type: 'pagerduty', config: { routingKey: 'a'.repeat(32), region: 'mars' }, path: 'config.region' },
    { type: 'ntfy', config: { topic: '../x' }, path: 'config.topic' },
    { type: 'matrix', config: { homeserverUrl: url, accessToken: 'x', roomId: '#alias:x' }, path: 'config.roomId' },
    { type: 'twilio', config: { accountSid: 'AC1' }, path: 'config.accountSid' },
    ...['015550100', '123456789', 'Upwatch Alerts', '+Upwatch-Alert', 'Über'].map((from) => {
      return { type: 'twilio', config: { ...twilio, from }, path: 'config.from' };
    }),
    { type: 'vonage', config: { to: '015550100' }, path: 'config.to' },
    { type: 'home_assistant', config: { eventType: 'a/b' }, path: 'config.eventType' },
    { type: 'custom', config: { url: 'https://{{monitor.name}}.example/' }, path: 'config.url' },
    { type: 'custom', config: { url: `${url}/{{nothing}}` }, path: 'config.url' },
    { type: 'custom', config: { url, headers: 'Host: evil.example' }, path: 'config.headers' },
    { type: 'custom', config: { url, headers: 'X: a\r\nno header' }, path: 'config.headers' },
    { type: 'custom', config: { url, body: '{{constructor}}' }, path: 'config.body' },
    { type: 'telegram', config: { botToken: '1:A/../B', chatId: '1' }, path: 'config.botToken' },
    { type: 'telegram', config: { botToken: `1:${'A'.repeat(35)}`, chatId: 'ops' }, path: 'config.chatId' },
  ])('rejects $type with $config', ({ path, ...input }) => {
    const { error } = CreateChannelInput.safeParse({ ...input, name: 'Ops' });
    expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });

  it.each(['', '   ', 'x'.repeat(101), 7, null, undefined])('rejects the name %j', (name) => {
    expect(CreateChannelInput.safeParse({ type: 'webhook', config: { url }, name }).success).toBe(false);
  });
});

describe('channel update schema', () => {
  it('requires a name or a config', () => {
    expect(UpdateChannelInput.safeParse({ id: '1' }).success).toBe(false);
    expect(UpdateChannelInput.safeParse({ id: '1', type: 'slack' }).success).toBe(false);
    expect(UpdateChannelInput.safeParse({ id: '1', name: 'Ops' }).success).toBe(true);
    expect(UpdateChannelInput.safeParse({ id: '1', config: { url } }).success).toBe(true);
  });
});

it('has a kind in the registry for every value that the database accepts', () => {
  expect([...channelTypes].sort()).toEqual(Object.values(StoredType).sort());
});
