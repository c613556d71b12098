import { describe, expect, it } from 'vitest';
import { escapeText, expand, looksLike, maskOf, variableFor, variablesIn } from '@/cli/secrets';
import { toKey } from '@/cli/state';

const credential = { path: 'config.token', kind: 'credential', keepsPath: true } as const;
const url = { path: 'config.url', kind: 'url', keepsPath: false } as const;

describe('secrets of files', () => {
  it('are named in braces, and escaped with another dollar sign', () => {
    expect(variablesIn(`\${A} $\${B} \${c_1}\${A} $D \${} \${1}`)).toEqual(['A', 'c_1', 'A']);
    expect(expand(`\${A} $\${B} $D`, (name) => `<${name}>`)).toBe(`<A> \${B} $D`);
    for (const text of [`\${A}`, `$\${A}`, '$ {A}', '$$', '{{a}}']) {
      expect(expand(escapeText(text), () => 'wrong')).toBe(text);
    }
  });

  it('look like their masks', () => {
    expect(looksLike('••••2345', 'abcd-12345', credential)).toBe(true);
    expect(looksLike('••••2345', 'abcd-54321', credential)).toBe(false);
    expect(looksLike('••••', 'short', credential)).toBe(true);
    expect(looksLike('https://a.test/••••', 'https://a.test/x', url)).toBe(true);
    expect(looksLike('https://a.test/x', 'https://a.test/y', url)).toBe(false);
    expect(maskOf('no url', url)).toBe('••••');
  });

  it('get the names of their objects in exports', () => {
    expect(variableFor('channels', 'on-call', 'config.webhookUrl')).toBe('CHANNEL_ON_CALL__WEBHOOK_URL');
    expect(variableFor('monitors', 'shop', 'config.headers.X-Api-Key')).toBe('MONITOR_SHOP__HEADERS_X_API_KEY');
  });
});

it('makes keys from names', () => {
  expect(['Shop EU', 'Żółw & Co.', '日本', '--a--', 'x'.repeat(80)].map((name) => toKey(name, 'monitor'))).toEqual([
    'shop-eu',
    'zo-w-co',
    'monitor',
    'a',
    'x'.repeat(60),
  ]);
});
