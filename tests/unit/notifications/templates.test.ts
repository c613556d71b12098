import { describe, expect, it } from 'vitest';
import { toMessage } from '@/server/notifications/messages/to-message';
import { placeholderNames } from '@/server/notifications/templates/placeholders';
import {
  excessOf,
  render,
  renderAll,
  TooLongError,
  targets,
  templateText,
} from '@/server/notifications/templates/template';
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
const errorOf = (text: string) => templateText(200, targets.subject).safeParse(text).error?.issues[0]?.message;

describe('a template', () => {
  it('replaces placeholders, with or without spaces, once', () => {
    const text = render('{{monitor.name}} {{ incident.duration }} {{monitor.tags}}', values, targets.text);
    expect(text).toBe('<{{url}}> "Shop" & Söhne 14 min eu, pay');
  });

  it('leaves values that do not apply empty', () => {
    expect(render('[{{actor}}{{incident.resolvedAt}}]', values, targets.text)).toBe('[]');
  });

  it('escapes values for a JSON string, a URL and a header', () => {
    const json = render('{"name": "{{monitor.name}}", "why": "{{incident.cause}}"}', values, targets.json);
    expect(JSON.parse(json)).toEqual({ name: monitor.name, why: incident.cause });
    const url = render('https://example.test/?q={{monitor.name}}', values, targets.url);
    expect(new URL(url).searchParams.get('q')).toBe(monitor.name);
    expect(render('x {{incident.cause}}', values, targets.headers)).toBe('x Expected "200", got 503 and more');
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
    const text = '{{'.repeat(30_000);
    expect(render(text, values, targets.text)).toBe(text);
  });
});

describe('the size of a rendered template', () => {
  const long = {
    ...values,
    details: '€'.repeat(4_000),
    'incident.cause': '\u0001"€😀'.repeat(1_000),
    headline: 'Shop',
  };
  const names = Object.keys(targets) as (keyof typeof targets)[];

  it.each(names)('stays below the limit of %s, however often a placeholder is repeated', (name) => {
    const target = targets[name];
    const template = '{{details}}{{headline}}\n'.repeat(150) + '{{incident.cause}}'.repeat(40);
    const text = render(template, long, target);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(target.mostBytes);
    // All but what the shares of shortened values leave.
    if (name !== 'headers') expect(Buffer.byteLength(text)).toBeGreaterThan(target.mostBytes * 0.5);
    expect(text.split('Shop')).toHaveLength(151);
  });

  it('is computed before anything is expanded', () => {
    const grown = '{{details}}'.repeat(1_800);
    let most = 0;
    const escaped = (text: string) => {
      most = Math.max(most, text.length);
      return targets.json.escape(text);
    };
    render(grown, long, { ...targets.json, escape: escaped });
    expect(most).toBeLessThanOrEqual(4_000);
  });

  it('keeps a shortened text inside of its escapes', () => {
    const json = render(`{"a": "${'{{incident.cause}}'.repeat(100)}"}`, long, targets.json);
    expect((JSON.parse(json) as { a: string }).a).toMatch(/…$/);
    const form = render('text={{incident.cause}}&more='.repeat(100), long, targets.form);
    expect(new URLSearchParams(form).get('text')).toMatch(/😀|…/u);
    expect(form.isWellFormed()).toBe(true);
  });

  it('shortens texts and leaves links and IDs whole', () => {
    const text = render('{{url}} {{incident.id}} {{details}}\n'.repeat(300), long, targets.text);
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(300);
    for (const line of lines) expect(line).toMatch(new RegExp(`^${values.url} ${incident.id} €+…$`));
  });

  it('is shared by all headers of a request', () => {
    const headers = Array.from({ length: 200 }, (_, index) => [
      `x-${index}`,
      '{{incident.title}}{{monitor.name}}',
    ]).flat();
    const rendered = renderAll(headers, { ...long, 'incident.title': 'x'.repeat(4_000) }, targets.headers);
    expect(rendered.join('').length).toBeLessThanOrEqual(targets.headers.mostBytes);
    expect(rendered[0]).toBe('x-0');
  });

  it('rejects at its field what can never be sent', () => {
    const message = templateText(20_000, targets.text).safeParse('{{url}}'.repeat(2_000)).error?.issues[0]?.message;
    expect(message).toBe(
      'With its placeholders filled in, the body needs at least 90,000 bytes; at most 65,536 are sent. Use fewer placeholders.',
    );
    expect(excessOf(['{{details}}'.repeat(1_800)], targets.text)).toBeNull();
  });

  it('fails where values that stay whole do not fit', () => {
    const wide = { ...long, url: `https://example.test/${'x'.repeat(400)}` };
    expect(() => render('{{url}}'.repeat(1_000), wide, targets.text)).toThrow(TooLongError);
  });

  it.each([...placeholderNames])('leaves room for any template of 4,000 characters of {{%s}}', (name) => {
    const template = `{{${name}}}`.repeat(Math.floor(4_000 / (name.length + 4)));
    expect(excessOf([template], targets.message)).toBeNull();
  });
});
