import { describe, expect, it } from 'vitest';
import { maskConfig, openConfig, parseConfig, sealConfig } from '@/server/notifications/config-secrets';
import type { ChannelConfig, ChannelType } from '@/server/notifications/schema';

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
    type: 'webhook',
    config: { url: 'https://example.com/hook', secret: 'short' },
    secret: 'short',
    masked: { url: 'https://example.com/hook', secret: '••••' },
  },
];

describe.each(cases)('the secret of a $type channel', ({ type, config, secret, masked }) => {
  const stored = sealConfig(type, config);

  it('is not stored in plain, and comes back', () => {
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(openConfig(type, stored)).toEqual(config);
  });

  it('is masked in answers', () => {
    expect(maskConfig(type, stored)).toEqual(masked);
  });

  it('stays when its mask is sent back', () => {
    const again = sealConfig(type, parseConfig(type, masked), stored);
    expect(openConfig(type, again)).toEqual(config);
  });

  it('is refused where a mask stands for nothing', () => {
    expect(() => sealConfig(type, parseConfig(type, masked))).toThrow(/mask/);
  });
});

it('keeps a webhook’s secret when it is left out', () => {
  const stored = sealConfig('webhook', { url: 'https://example.com/a', secret: 'passphrase' });
  const changed = sealConfig('webhook', { url: 'https://example.com/b' }, stored);
  expect(openConfig('webhook', changed)).toEqual({ url: 'https://example.com/b', secret: 'passphrase' });
});

it('refuses the mask of another secret', () => {
  const stored = sealConfig('webhook', { url: 'https://example.com/a', secret: 'passphrase' });
  expect(() => sealConfig('webhook', { url: 'https://example.com/a', secret: '••••wxyz' }, stored)).toThrow(/mask/);
});
