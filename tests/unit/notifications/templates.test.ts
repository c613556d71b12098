import { describe, expect, it } from 'vitest';
import { toMessage } from '@/server/notifications/message';
import { placeholderNames } from '@/server/notifications/templates/placeholders';
import { escapes, render, templateText } from '@/server/notifications/templates/template';
import { valuesOf } from '@/server/notifications/templates/values';

const incident = {
  id: '01KACV6T3Q0000000000000000',
  type: 'downtime',
  status: 'open',
  title: 'Checkout is down',
  cause: 'Expected "200", got 503\nand more',
  startedAt: '2026-11-20T03:07:12.345Z',
  resolvedAt: null,
};
const monitor = { id: '01KACV6T3Q0000000000000001', name: '<{{url}}> "Shop" & Söhne', tags: ['eu', 'pay'] };
const message = toMessage(
  'delivery',
  { type: 'incident.opened', timestamp: '2026-11-20T03:21:40.345Z', data: { incident, monitor } },
  { id: 'channel', type: 'slack' },
);
const values = valuesOf(message);
const errorOf = (text: string) => templateText(200).safeParse(text).error?.issues[0]?.message;

describe('a template', () => {
  it('replaces placeholders, with or without spaces, once', () => {
    const text = render('{{monitor.name}} {{ incident.duration }} {{monitor.tags}}', values, escapes.text);
    expect(text).toBe('<{{url}}> "Shop" & Söhne 14 min eu, pay');
  });

  it('leaves values that do not apply empty', () => {
    expect(render('[{{actor}}{{incident.resolvedAt}}]', values, escapes.text)).toBe('[]');
  });

  it('escapes values for a JSON string, a URL and a header', () => {
    const json = render('{"name": "{{monitor.name}}", "why": "{{incident.cause}}"}', values, escapes.json);
    expect(JSON.parse(json)).toEqual({ name: monitor.name, why: incident.cause });
    const url = render('https://example.test/?q={{monitor.name}}', values, escapes.url);
    expect(new URL(url).searchParams.get('q')).toBe(monitor.name);
    expect(render('x {{incident.cause}}', values, escapes.header)).toBe('x Expected "200", got 503 and more');
  });

  it('rejects an unknown placeholder and names the nearest one', () => {
    expect(errorOf('{{monitor.nam}} is down')).toBe(
      'Unknown placeholder {{monitor.nam}}. Did you mean {{monitor.name}}?',
    );
    expect(errorOf('{{ incident.titel }}')).toMatch(/Did you mean \{\{incident\.title\}\}\?$/);
    expect(errorOf('{{}}')).toMatch(/^Unknown placeholder/);
    expect(errorOf('{{constructor}}')).toMatch(/^Unknown placeholder/);
    expect(errorOf('{{#if monitor}}')).toMatch(/^Unknown placeholder/);
  });

  it.each(['{"a":{"b":"{{url}}"}}', 'no placeholder', '{ {url} }', '{{'])('accepts %s', (text) => {
    expect(errorOf(text)).toBeUndefined();
  });

  it('has a value for each placeholder', () => {
    expect(Object.keys(values)).toEqual(placeholderNames);
  });

  it('takes linear time for braces without an end', () => {
    const text = '{{'.repeat(50_000);
    expect(render(text, values, escapes.text)).toBe(text);
  });
});
