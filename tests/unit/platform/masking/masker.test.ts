import { describe, expect, it } from 'vitest';
import { Masker } from '@/server/platform/masking/masker';

const secret = 'p/ss+wörd "1"&<2>';
const masker = new Masker([{ value: secret, kind: 'credential' }]);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('Masker', () => {
  it.each([
    ['as it is', secret],
    ['in upper case', secret.toUpperCase()],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['form-encoded', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    [
      'in HTML',
      secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['in base64', base64(secret)],
    ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['with every byte percent-encoded', Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
  ])('masks a secret %s', (_how, echoed) => {
    expect(masker.mask(`before ${echoed} after`)).toBe('before •••• after');
  });

  it.each(['', 'a', 'ab', 'robin:', 'x:y:'])('masks a secret that base64 encodes after %j', (before) => {
    const token = 'S3cretTokenOfTheShop';
    const clean = new Masker([{ value: token, kind: 'credential' }]).mask(base64(`${before}${token} and more`)) ?? '';
    const decoded = Buffer.from(clean.replaceAll('••••', ''), 'base64').toString('latin1');
    expect(clean).toContain('••••');
    expect(decoded).not.toContain('ecretTokenOfTheSho');
  });

  it.each([
    [
      'the token of an authorization header',
      { value: 'Bearer abcdef-123456', kind: 'credential' as const },
      'abcdef-123456',
    ],
    ['the value of a cookie', { value: 'theme=dark; sid=f00dcafe', kind: 'credential' as const }, 'f00dcafe'],
    ['a value of a JSON body', { value: '{"user":{"password":"hunter2!"}}', kind: 'text' as const }, 'hunter2!'],
    ['a value of a form', { value: 'user=robin&password=hunter2!', kind: 'text' as const }, 'hunter2!'],
    ['a token of a body', { value: '<key>0123456789abcdef</key>', kind: 'text' as const }, '0123456789abcdef'],
    ['a value of a query', { value: 'https://a.test/x?key=qu%C3%A9ry1', kind: 'url' as const }, 'quéry1'],
  ])('masks %s that is sent back alone', (_what, given, echoed) => {
    expect(new Masker([given]).mask(`It was ${echoed}.`)).toBe('It was ••••.');
  });

  it('masks a short secret only where it stands alone', () => {
    const short = new Masker([{ value: 'prod', kind: 'text' }]);
    expect(short.mask('env=prod, product=shop')).toBe('env=••••, product=shop');
  });

  it('masks a short secret and a name in a path only in their own case', () => {
    const url = 'https://chat.example/mattermost/discord/hooks/4xk2p9q7w1e5';
    const names = new Masker([{ value: url, kind: 'capability' }]);
    const text = 'Mattermost answered 404: Discord: no /mattermost/discord/hooks/4xk2p9q7w1e5';
    expect(names.mask(text)).toBe('Mattermost answered 404: Discord: no /••••/••••/hooks/••••');
    expect(new Masker([{ value: 'prod', kind: 'credential' }]).mask('Prod, prod')).toBe('Prod, ••••');
  });

  it('masks the lines of a key in PEM form, but not the words before them', () => {
    const line = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg';
    const pem = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----`;
    const key = new Masker([{ value: pem, kind: 'credential' }]);
    const text = 'cache-control: no-cache, private. The address is private or reserved';
    expect(key.mask(`${text}: ${line}`)).toBe(`${text}: ••••`);
  });

  it('masks the start of a secret where a text was cut', () => {
    const token = new Masker([{ value: '0123456789abcdef', kind: 'credential' }]);
    expect(token.mask('token: 0123456789ab', true)).toBe('token: ••••');
    expect(token.mask('Expected body, got "token: 01234567…"')).toBe('Expected body, got "token: ••••…"');
    expect(token.mask('token: 012345', true)).toBe('token: ••••');
    expect(token.mask('token: 012345')).toBe('token: 012345');
  });

  it('masks a secret that is longer than what is looked for at once', () => {
    const token = Array.from({ length: 200 }, (_, index) => `part${index}`).join('.');
    const long = new Masker([{ value: `Bearer ${token}`, kind: 'credential' }]);
    for (const echoed of [token, base64(`{"token":"${token}"}`), encodeURIComponent(token)]) {
      const clean = long.mask(`before ${echoed} after`) ?? '';
      expect(clean.length).toBeLessThan(echoed.length / 5);
      expect(Buffer.from(clean, 'base64').toString()).not.toMatch(/part\d/);
      expect(clean).not.toMatch(/part\d/);
    }
  });

  it('masks a credential, however long the body that may contain a secret too', () => {
    const body = Array.from({ length: 2_000 }, (_, index) => `not-a-secret-${index}`).join('\n');
    const both = new Masker([
      { value: body, kind: 'text' },
      { value: 'the-real-secret', kind: 'credential' },
    ]);
    expect(both.mask('It was the-real-secret.')).toBe('It was ••••.');
  });

  it('does bounded work for a body of 32 KiB and the longest text that may contain secrets', () => {
    const long = Array.from({ length: 4_000 }, (_, index) => `not-a-secret-value-${index}`).join(' ');
    const masker = new Masker([{ value: long, kind: 'text' }]);
    const body = 'not-a-secret-value '.repeat(1_700);
    masker.mask(body, true);
    expect(masker.work).toBeLessThan(16 * body.length);
  });
});
