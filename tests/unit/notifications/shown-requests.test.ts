import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '@/server/notifications/messages/message';
import { send } from '@/server/notifications/providers';
import type { PreparedRequest } from '@/server/notifications/providers/prepared-request';
import { shownConfig, toShownRequest } from '@/server/notifications/providers/shown';
import { type ChannelConfig, type ChannelType, channelDefinitionOf } from '@/server/notifications/schema';
import { applyTemplate } from '@/server/notifications/templates/apply-template';
import { httpKinds, kindSpecs } from '@/tests/support/channel-kinds';

const TOKEN = 'acknowledge-t0ken';
const message: Message = applyTemplate(
  {
    id: '01KACV6T3Q0000000000000000',
    payload: {
      type: 'incident.opened',
      timestamp: '2026-11-20T03:07:12.000Z',
      data: {
        incident: { id: 'i1', type: 'downtime', status: 'open', startedAt: '2026-11-20T03:07:12.000Z' },
        monitor: { id: 'm1', name: 'Shop' },
      },
    },
    tone: 'down',
    headline: 'Shop is down',
    details: ['HTTP 503'],
    url: 'http://127.0.0.1:3000/incidents/i1',
    acknowledgeUrl: `http://127.0.0.1:3000/acknowledge/${TOKEN}`,
  },
  [{ event: 'incident.opened', subject: '{{headline}} {{acknowledgeUrl}}', body: 'See {{acknowledgeUrl}}.' }],
);

/** How people write the same address. */
const spellings: ((url: string) => string)[] = [
  (url) => url,
  (url) => `${url} `,
  (url) => ` ${url}`,
  (url) => url.replace('hooks.example', 'HOOKS.Example'),
  (url) => url.replace('hooks.example', 'hooks.example:443'),
  (url) => url.replace('.example/', '.example/./'),
  (url) => url.replace('.example/', '.example/x/../'),
  (url) => url.replace('https:', 'HTTPS:'),
  (url) => `${url}#x`,
  (url) => `${url}&é=ü`,
  (url) => `${url}~`,
  (url) => `${url}('a')`,
  (url) => url.replaceAll('s3cr3t', '%733cr3t'),
];
const SECRET = /s3cr3t|733cr3t|acknowledge-t0ken/i;

const prepare = async (type: ChannelType, about: Message, config: ChannelConfig): Promise<PreparedRequest | null> => {
  let request: PreparedRequest | null = null;
  const prepared = (given: PreparedRequest) => {
    request = given;
  };
  await send(type, about, config, { teamId: 't1', signal: AbortSignal.timeout(5_000), prepared });
  return request;
};

/** A config whose secrets are recognised, with its address in one spelling. */
function configOf(type: (typeof httpKinds)[number], spell: (url: string) => string, part: string): ChannelConfig {
  const base = kindSpecs[type].config('https://hooks.example') as Record<string, string>;
  const { secrets } = channelDefinitionOf(type);
  const fields = Object.keys(secrets).map((field) => {
    const value = base[field] ?? '';
    if (/^https?:/.test(value)) return [field, spell(`https://hooks.example/s3cr3t-${part}/s3cr3t?key=s3cr3t`)];
    return [field, type === 'custom' ? `X-Key: s3cr3t${part}\nUser-Agent: s3cr3t` : `s3cr3t${part}`];
  });
  return { ...base, ...Object.fromEntries(fields) } as ChannelConfig;
}

describe.each(httpKinds)('a shown request of %s', (type) => {
  it('contains no secret in any spelling of its address, stored or previewed', async () => {
    const part = fc.string({ unit: fc.constantFrom(...'abc019-_'), maxLength: 12 });
    const property = fc.asyncProperty(fc.constantFrom(...spellings), part, async (spell, given) => {
      const config = configOf(type, spell, given);
      const result = await send(type, message, config, {
        teamId: 't1',
        signal: AbortSignal.abort(),
        withExchange: true,
      });
      expect(result.exchange?.request.method).toMatch(/^[A-Z]+$/);
      expect(JSON.stringify(result.exchange?.request)).not.toMatch(SECRET);
      const dead = { ...message, ...message.shown, acknowledgeUrl: 'http://127.0.0.1:3000/acknowledge/dead' };
      const [real, shown] = await Promise.all([
        prepare(type, dead, config),
        prepare(type, dead, shownConfig(type, config, ['credential', 'url'])),
      ]);
      if (!real || !shown) throw new Error('Nothing was prepared.');
      const preview = toShownRequest(real, shown);
      expect(JSON.stringify(preview)).not.toMatch(SECRET);
      expect(Object.keys(preview.headers)).toEqual(Object.keys(real.headers).map((name) => name.toLowerCase()));
    });
    await fc.assert(property, { numRuns: 60, seed: 20 });
  });
});
