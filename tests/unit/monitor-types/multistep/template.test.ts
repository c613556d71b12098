import { describe, expect, it } from 'vitest';
import {
  bodyForm,
  expandBody,
  expandHeader,
  expandUrl,
  guessContentType,
  TemplateError,
} from '@/server/monitor-types/multistep/template';

const values = new Map(
  Object.entries({
    id: '42',
    text: 'a "b" & <c>\n/é',
    host: 'eu.shop.test:8443',
    evil: 'evil.test/x?',
    next: '/orders/7?a=b',
    whole: 'https://pay.test/start',
    line: 'one\r\nx-injected: 1',
    dots: '..',
    half: '\ud800',
    huge: 'x'.repeat(8_000),
  }),
);
const base = new URL('https://shop.test/cart/');
const urlOf = (text: string) => expandUrl(text, values, base).href;
const bodyOf = (text: string, form: Parameters<typeof expandBody>[2]) => expandBody(text, values, form, 10_000);

describe('expandUrl', () => {
  it.each([
    [
      'https://shop.test/orders/{{id}}?q={{ text }}',
      'https://shop.test/orders/42?q=a%20%22b%22%20%26%20%3Cc%3E%0A%2F%C3%A9',
    ],
    ['https://{{host}}/orders', 'https://eu.shop.test:8443/orders'],
    ['{{next}}', 'https://shop.test/orders/7?a=b'],
    ['{{whole}}/{{id}}', 'https://pay.test/start/42'],
    ['https://shop.test/{{half}}', 'https://shop.test/%EF%BF%BD'],
    ['https://shop.test/{{not-a-name}}', 'https://shop.test/%7B%7Bnot-a-name%7D%7D'],
  ])('makes %s', (text, wanted) => {
    expect(urlOf(text)).toBe(wanted);
  });

  it.each([
    ['https://{{evil}}/', 'The value of "evil" is no part of a host name'],
    ['https://shop.test/{{dots}}/admin', 'The value of "dots" is no part of a path'],
    ['https://shop.test/{{missing}}', 'The variable "missing" has no value'],
    ['https://shop.test/{{huge}}{{huge}}', 'The request is longer than'],
  ])('rejects %s', (text, message) => {
    expect(() => urlOf(text)).toThrow(message);
    expect(() => urlOf(text)).toThrow(TemplateError);
  });

  it.each([
    ['{{start}}/evil.test/x', '/'],
    ['{{start}}evil.test/x', '//'],
    ['{{start}}.evil.test/x', 'https://shop.test'],
    ['{{start}}:8443/x', 'https://shop.test'],
  ])('rejects %s if the text after %s changes the server', (text, start) => {
    expect(() => expandUrl(text, new Map([['start', start]]), base)).toThrow(TemplateError);
  });

  it('rejects a value that is a URL with another scheme, or with a password', () => {
    const of = (next: string) => () => expandUrl('{{next}}', new Map([['next', next]]), base);
    expect(of('file:///etc/passwd')).toThrow('does not start with http:// or https://');
    expect(of('https://me:secret@shop.test/')).toThrow('username or password');
    expect(() => expandUrl('{{text}}', values, null)).toThrow('The value of "text" is no URL');
    expect(of(`https://${'ü'.repeat(3_000)}.test/`)).toThrow('no URL');
  });
});

describe('expandHeader', () => {
  it('keeps a value as it is', () => {
    expect(expandHeader('Bearer {{id}}', values, 100)).toBe('Bearer 42');
  });

  it('rejects a value with a line break or a character outside Latin-1', () => {
    expect(() => expandHeader('{{line}}', values, 1_000)).toThrow('characters that a header cannot contain');
    expect(() => expandHeader('{{x}}', new Map([['x', '漢']]), 1_000)).toThrow(
      'characters that a header cannot contain',
    );
  });
});

describe('expandBody', () => {
  it('escapes values within the strings of JSON, and writes others as JSON values', () => {
    const body = bodyOf('{"a": "say \\"{{text}}\\"", "id": {{id}}, "text": {{text}}}', 'json');
    expect(JSON.parse(body)).toEqual({ a: `say "${values.get('text')}"`, id: 42, text: values.get('text') });
  });

  it('lets no value add a field to JSON', () => {
    const given = new Map([['x', '1, "admin": true']]);
    expect(JSON.parse(expandBody('{"id": {{x}}}', given, 'json', 1_000))).toEqual({ id: '1, "admin": true' });
  });

  it('escapes values in forms and in XML', () => {
    expect(new URLSearchParams(bodyOf('a={{text}}&b=1', 'form')).get('a')).toBe(values.get('text'));
    expect(bodyOf('<a>{{text}}</a>', 'xml')).toContain('a &quot;b&quot; &amp; &lt;c&gt;');
    expect(bodyOf('a={{text}}', 'plain')).toBe(`a=${values.get('text')}`);
  });

  it('refuses a body before it grows beyond its limit', () => {
    const text = '{{huge}}'.repeat(7_000);
    const from = performance.now();
    expect(() => bodyOf(text, 'json')).toThrow('longer than 10,000 characters');
    expect(performance.now() - from).toBeLessThan(1_000);
  });

  it('chooses the form by the content type', () => {
    expect(
      ['application/problem+json', 'application/x-www-form-urlencoded', 'text/xml', 'text/plain'].map(bodyForm),
    ).toEqual(['json', 'form', 'xml', 'plain']);
    const bodies = ['[1]', ' {"a":1}', '{"a":{{id}}}', 'a=1&b', '{{id}}=1', 'hello', '{{id}}'];
    const forms = ['json', 'json', 'json', 'form', 'form', 'plain', 'plain'];
    expect(bodies.map(guessContentType).map(bodyForm)).toEqual(forms);
  });
});
