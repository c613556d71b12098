import { describe, expect, it } from 'vitest';
import {
  editableConfig,
  maskChanged,
  maskConfig,
  openConfig,
  parseConfig,
  sealConfig,
  sealPlain,
} from '@/server/notifications/config-secrets';
import type { ChannelConfig, ChannelType } from '@/server/notifications/schema';
import { httpKinds, kindSpecs } from '@/tests/support/channel-kinds';

const cases: { type: ChannelType; config: ChannelConfig; secret: string; masked: Record<string, string> }[] = [
  {
    type: 'slack',
    config: { webhookUrl: 'https://hooks.slack.com/services/T0/B0/XyZw' },
    secret: 'services/T0',
    masked: { webhookUrl: '••••XyZw' },
  },
  {
    type: 'discord',
    config: { webhookUrl: 'https://discord.com/api/webhooks/1/abcd' },
    secret: 'webhooks/1',
    masked: { webhookUrl: '••••abcd' },
  },
  {
    type: 'line',
    config: { channelAccessToken: 'very-secret-token', to: 'U1' },
    secret: 'very-secret',
    masked: { channelAccessToken: '••••oken', to: 'U1' },
  },
  {
    type: 'telegram',
    config: { botToken: `123:${'A'.repeat(35)}wxyz`, chatId: '-1', apiUrl: 'https://api.telegram.org' },
    secret: 'AAAA',
    masked: { botToken: '••••wxyz', chatId: '-1', apiUrl: 'https://api.telegram.org' },
  },
  {
    type: 'webhook',
    config: { url: 'https://example.com/hook', secret: 'short' },
    secret: 'short',
    masked: { url: 'https://example.com/••••', secret: '••••' },
  },
  {
    type: 'webhook',
    config: { url: 'https://example.com/?key=TOPSECRET', secret: 'whsec_MDEyMzQ1' },
    secret: 'TOPSECRET',
    masked: { url: 'https://example.com/••••', secret: '••••MzQ1' },
  },
];

describe.each(cases)('secret of a $type channel', ({ type, config, secret, masked }) => {
  const stored = sealConfig(type, config);

  it('is encrypted at rest and decrypted for delivery', () => {
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(openConfig(type, stored)).toEqual(config);
  });

  it('is masked in responses', () => {
    expect(maskConfig(type, stored)).toEqual(masked);
  });

  it('stays unchanged when its mask is sent back', () => {
    const again = sealConfig(type, parseConfig(type, masked), stored);
    expect(openConfig(type, again)).toEqual(config);
  });

  it('rejects a mask if nothing is stored', () => {
    expect(() => sealConfig(type, parseConfig(type, masked))).toThrow(/mask/);
  });

  it('is encrypted if it was stored in plain text', () => {
    expect(openConfig(type, sealPlain(type, config))).toEqual(config);
    expect(JSON.stringify(sealPlain(type, config))).not.toContain(secret);
    expect(maskConfig(type, config)).toEqual(masked);
    expect(sealPlain(type, stored)).toEqual(stored);
  });
});

describe.each(httpKinds)('config of a %s channel', (type) => {
  const { config, secrets } = kindSpecs[type];
  const plain = config('https://example.com') as ChannelConfig;
  const stored = sealConfig(type, plain);

  it('is stored and returned without its secrets', () => {
    expect(openConfig(type, stored)).toEqual(plain);
    const shown = JSON.stringify([stored, maskConfig(type, stored), maskChanged(type, stored, {})]);
    for (const secret of secrets) expect(shown).not.toContain(secret);
  });

  it('is unchanged when it is sent back as returned', () => {
    const again = sealConfig(type, parseConfig(type, maskConfig(type, stored)), stored);
    expect(openConfig(type, again)).toEqual(plain);
  });
});

it('does not send a stored bot token to another API server', () => {
  const config = { botToken: `123:${'A'.repeat(35)}`, chatId: '-1', apiUrl: 'https://api.telegram.org' };
  const stored = sealConfig('telegram', config);
  const moved = { ...config, botToken: '••••AAAA', apiUrl: 'https://evil.example' };
  expect(() => sealConfig('telegram', moved, stored)).toThrow('Enter the secret again');
});

it('keeps the secret of a webhook if it is omitted', () => {
  const stored = sealConfig('webhook', { url: 'https://example.com/a', secret: 'passphrase' });
  const changed = sealConfig('webhook', { url: 'https://example.com/b' }, stored);
  expect(openConfig('webhook', changed)).toEqual({ url: 'https://example.com/b', secret: 'passphrase' });
});

it('rejects the mask of another secret', () => {
  const stored = sealConfig('webhook', { url: 'https://example.com/a', secret: 'passphrase' });
  expect(() => sealConfig('webhook', { url: 'https://example.com/a', secret: '••••wxyz' }, stored)).toThrow(/mask/);
});

it('shows the URL of a webhook to editors and its secret to nobody', () => {
  const config = { url: 'https://example.com/hook?key=x', secret: 'passphrase' };
  expect(editableConfig('webhook', sealConfig('webhook', config))).toEqual({ ...config, secret: '••••rase' });
});

describe('webhook secret', () => {
  const stored = sealConfig('webhook', { url: 'https://example.com/a?key=x', secret: 'passphrase' });
  const elsewhere = 'https://evil.example/a';

  it.each([
    ['its mask', { url: elsewhere, secret: '••••rase' }],
    ['nothing', { url: elsewhere }],
    ['its mask, to plain http', { url: 'http://example.com/a', secret: '••••rase' }],
  ])('is not sent to another origin with %s', (_name, config) => {
    expect(() => sealConfig('webhook', config, stored)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        issues: [{ path: 'config.secret', message: expect.any(String) }],
      }),
    );
  });

  it('moves to another origin if it is entered again, and stays on the same origin', () => {
    const given = { url: elsewhere, secret: 'another passphrase' };
    expect(openConfig('webhook', sealConfig('webhook', given, stored))).toEqual(given);
    const sameOrigin = sealConfig('webhook', { url: 'https://example.com/b', secret: '••••rase' }, stored);
    expect(openConfig('webhook', sameOrigin)).toEqual({ url: 'https://example.com/b', secret: 'passphrase' });
  });

  it('does not move with the mask of a URL on another host', () => {
    expect(() => sealConfig('webhook', { url: 'https://evil.example/••••', secret: '••••rase' }, stored)).toThrow();
  });
});

it('records in the audit log that a secret changed if its mask is the same', () => {
  const before = sealConfig('webhook', { url: 'https://example.com/a', secret: 'one' });
  const after = sealConfig('webhook', { url: 'https://example.com/b', secret: 'one' });
  expect(maskChanged('webhook', after, before)).toEqual({ url: 'https://example.com/•••• (changed)', secret: '••••' });
});

describe('an optional secret', () => {
  const config = { serverUrl: 'https://ntfy.sh', topic: 'alerts', accessToken: 'tk_0123456789' };
  const stored = sealConfig('ntfy', config);

  it('is kept when it is omitted, and removed when it is sent empty', () => {
    const without = { serverUrl: config.serverUrl, topic: config.topic };
    expect(openConfig('ntfy', sealConfig('ntfy', without, stored))).toEqual(config);
    const removed = sealConfig('ntfy', { ...without, accessToken: '' }, stored);
    expect(openConfig('ntfy', removed)).toEqual({ ...without, accessToken: '' });
    expect(maskConfig('ntfy', removed)).toEqual({ ...without, accessToken: '' });
  });
});
