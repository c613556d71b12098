import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CustomConfig } from '@/server/notifications/providers/custom/definition';
import { type RawExchange, savesResponseBody, toExchange } from '@/server/notifications/providers/exchange';
import { channelDefinitionOf, channelTypes } from '@/server/notifications/schema';

const PARTS = ['T0123456', 's3cr3t+pass/word', 'query-s3cr3t'];
const url = `https://hooks.example.com/api/${PARTS[0]}/${encodeURIComponent(PARTS[1] ?? '')}?key=${PARTS[2]}`;

/** A secret for each secret field of a kind, and the parts of it that nobody may see. */
function secretsOf(type: (typeof channelTypes)[number]): { secrets: string[]; hidden: string[] } {
  const fields = Object.keys(channelDefinitionOf(type).secrets);
  const secrets = fields.map((field) => {
    if (/url/i.test(field)) return url;
    return field === 'headers'
      ? 'Authorization: Bearer header-s3cr3t\nX-Key: other "s3cr3t"'
      : `${type}:${field}/s3cr3t é`;
  });
  const hidden = secrets.flatMap((secret) => {
    if (secret === url) return PARTS;
    return secret.startsWith('Authorization') ? ['header-s3cr3t', 'other "s3cr3t"'] : [secret];
  });
  return { secrets, hidden };
}

/** An exchange that repeats secrets in every place and form. */
function leaking(texts: string[]): RawExchange {
  const all = texts.join(' ');
  const forms = [
    all,
    JSON.stringify({ all }),
    new URLSearchParams({ all }).toString(),
    ...texts.map((text) => Buffer.from(text).toString('base64')),
    ...texts.map(encodeURIComponent),
  ].join('\n');
  const address = `https://api.example.com/bot${encodeURIComponent(texts[0] ?? '')}/send?q=${encodeURIComponent(all)}`;
  const headers = {
    authorization: `Bearer ${all}`,
    'x-own': all,
    'content-type': 'application/json',
    'user-agent': all,
  };
  return {
    request: { method: 'POST', url: address, headers, body: forms },
    response: { statusCode: 403, headers: { location: address, 'x-request-id': all, 'set-cookie': all }, body: forms },
  };
}

/** The request without secrets. */
const SHOWN = {
  method: 'POST',
  url: 'https://hooks.example.com/••••',
  headers: { 'content-type': 'text/plain' } as Record<string, string>,
  body: 'hello',
};

const SHOW = { team: 'team', savesBody: true };

describe.each(channelTypes)('exchange of a %s channel', (type) => {
  it('contains no secret, wherever an answer repeats it', async () => {
    const { secrets, hidden } = secretsOf(type);
    const stored = JSON.stringify(await toExchange(leaking([...secrets, ...hidden]), SHOWN, secrets, SHOW));
    for (const text of hidden) {
      for (const form of [
        text,
        JSON.stringify(text).slice(1, -1),
        encodeURIComponent(text),
        btoa(unescape(encodeURIComponent(text))),
      ]) {
        expect(stored).not.toContain(form);
      }
    }
    if (secrets.length > 0) expect(stored).toContain('••••');
  });
});

describe('exchange', () => {
  const raw = (more: Partial<RawExchange['request']> = {}, body = 'ok'): RawExchange => ({
    request: {
      method: 'POST',
      url,
      headers: { 'content-type': 'text/plain', 'x-unknown': 'value' },
      body: 'hello',
      ...more,
    },
    response: { statusCode: 200, headers: { 'content-type': 'text/plain', 'x-powered-by': 'us' }, body },
  });

  it('keeps the origin of a secret URL, known headers and what helps to find a cause', async () => {
    expect(await toExchange({ ...raw(), request: { ...raw().request, url } }, SHOWN, [url], SHOW)).toEqual({
      request: {
        method: 'POST',
        url: 'https://hooks.example.com/••••',
        headers: { 'content-type': 'text/plain', 'x-unknown': '••••' },
        body: 'hello',
      },
      response: { statusCode: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
    });
  });

  it('cuts bodies after masking, so that no part of a secret is left at the end', async () => {
    const secret = 'a-secret-of-some-length';
    const { response } = await toExchange(raw({}, 'x'.repeat(4_090) + secret), SHOWN, [secret], SHOW);
    expect(response?.body).toBe(`${'x'.repeat(4_090)}••••`);
  });

  it('keeps a few headers of an answer with as many as a message can have', async () => {
    const names = Array.from({ length: 1_900 }, (_, index) => `${index}-request-id`);
    const headers = Object.fromEntries(names.map((name) => [name, 'a']));
    const { response } = await toExchange(
      { ...raw(), response: { statusCode: 200, headers, body: '' } },
      SHOWN,
      [],
      SHOW,
    );
    expect(Object.keys(response?.headers ?? {})).toEqual(names.slice(0, 20));
  });

  it('can be stored: no null characters, no broken pairs, and bytes by their number', async () => {
    const { request, response } = await toExchange(raw({ body: new Uint8Array(7) }, `a\u0000b\ud83d`), SHOWN, [], SHOW);
    expect(request.body).toBe('(7 bytes)');
    expect(response?.body).toBe('ab\ufffd');
  });
});

describe('saveResponseBody', () => {
  const gotify = { serverUrl: 'https://push.example.com', appToken: 'AqT7.zx' };
  const custom = (own: object) => CustomConfig.parse({ url: 'https://a.example/alerts', ...own });

  it('keeps no body by default where credentials are sent to a server of the user’s choice', async () => {
    expect(savesResponseBody('gotify', gotify)).toBe(false);
    expect(savesResponseBody('custom', custom({ headers: 'X-Key: abc' }))).toBe(false);
    expect(savesResponseBody('custom', custom({ url: 'https://a.example/?key=abc' }))).toBe(false);
    expect(savesResponseBody('custom', custom({}))).toBe(true);
    expect(savesResponseBody('slack', { webhookUrl: 'https://hooks.slack.com/services/T0/B0/x' })).toBe(true);
    const raw = { ...leaking(['x']), response: { statusCode: 500, headers: { via: 'a' }, body: 'a body' } };
    const { response } = await toExchange(raw, SHOWN, [], { team: 'team', savesBody: false });
    expect(response).toEqual({ statusCode: 500, headers: { via: 'a' }, body: null });
  });

  it('follows the choice of the channel', () => {
    expect(savesResponseBody('gotify', { ...gotify, saveResponseBody: 'always' })).toBe(true);
    expect(savesResponseBody('custom', custom({ saveResponseBody: 'never' }))).toBe(false);
  });
});

it('is made for every kind: only post.ts opens connections of providers', () => {
  const folder = new URL('../../../server/notifications/providers/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const dialling = files.filter((file) =>
    /\bguardedRequest\(|\bfetch\(|node:https?'/.test(readFileSync(new URL(file, folder), 'utf8')),
  );
  expect(dialling).toEqual(['post.ts']);
});
