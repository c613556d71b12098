import { describe, expect, it } from 'vitest';
import { firstUnmet } from '@/server/monitor-types/http/assertions';
import type { HttpAssertion } from '@/server/monitor-types/schema';
import { answer } from '@/tests/unit/checks/observations';

const body = JSON.stringify({
  status: 'ok',
  queue: 7,
  ready: true,
  none: null,
  services: [
    { name: 'db', up: true, lag: 3 },
    { name: 'mail', up: false, lag: 9 },
  ],
  tags: ['a', 'b'],
});
const seen = answer({ statusCode: 200, headers: { 'content-type': 'application/json', 'x-version': '1.20' }, body });
const LATENCY = 120.4;

const unmet = (assertion: HttpAssertion, from = seen) => firstUnmet([assertion], from, LATENCY);
const json = (
  property: string,
  operator: HttpAssertion['operator'],
  value?: HttpAssertion['value'],
): HttpAssertion => ({
  source: 'json',
  property,
  operator,
  ...(value !== undefined && { value }),
});
const header = (property: string, operator: HttpAssertion['operator'], value?: HttpAssertion['value']) => ({
  ...json(property, operator, value),
  source: 'header' as const,
});

describe('matching assertions', () => {
  it.each<HttpAssertion>([
    { source: 'status', operator: 'equals', value: 200 },
    { source: 'status', operator: 'equals', value: '200' },
    { source: 'status', operator: 'notEquals', value: 503 },
    { source: 'status', operator: 'lessThan', value: 300 },
    { source: 'status', operator: 'matches', value: '^2' },
    { source: 'latency', operator: 'lessThan', value: 121 },
    { source: 'latency', operator: 'greaterThan', value: '100' },
    { source: 'body', operator: 'contains', value: '"status":"ok"' },
    { source: 'body', operator: 'notContains', value: 'error' },
    { source: 'body', operator: 'matches', value: '"queue":\\d+' },
    { source: 'body', operator: 'notMatches', value: '"queue":[89]' },
    { source: 'body', operator: 'exists' },
    header('x-version', 'notMatches', '^2'),
    header('Content-Type', 'contains', 'json'),
    header('x-version', 'equals', '1.20'),
    header('x-version', 'greaterThan', 1),
    header('x-version', 'exists'),
    header('x-missing', 'notExists'),
    json('$.status', 'equals', 'ok'),
    json('$.queue', 'equals', '7.0'),
    json('$.queue', 'lessThan', 8),
    json('$.ready', 'equals', true),
    json('$.ready', 'equals', 'true'),
    json('$.none', 'exists'),
    json('$.none', 'equals', 'null'),
    json('$.tags', 'contains', 'b'),
    json('$.services[?@.name == "db"].up', 'equals', true),
    json('$..lag', 'lessThan', 10),
    json('$.services[?search(@.name, "^m")].lag', 'equals', 9),
    json('$.services[2]', 'notExists'),
    json('$.tags', 'equals', '["a","b"]'),
  ])('%o', (assertion) => {
    expect(unmet(assertion)).toBeNull();
  });
});

describe('failing assertions', () => {
  it.each<[HttpAssertion, string]>([
    [{ source: 'status', operator: 'equals', value: 201 }, 'Expected status to be 201, got 200'],
    [{ source: 'latency', operator: 'lessThan', value: 100 }, 'Expected latency to be less than 100, got 120'],
    [
      header('content-type', 'equals', 'text/html'),
      'Expected header content-type to be "text/html", got "application/json"',
    ],
    [header('x-missing', 'exists'), 'Expected header x-missing to exist'],
    [json('$.status', 'notExists'), 'Expected $.status not to exist'],
    [json('$.services[*].up', 'notEquals', false), 'Expected $.services[*].up not to be false, got [true,false]'],
    [json('$..lag', 'lessThan', 9), 'Expected $..lag to be less than 9, got [3,9]'],
    [json('$.status', 'equals', 'OK'), 'Expected $.status to be "OK", got "ok"'],
    [json('$.none', 'equals', 0), 'Expected $.none to be 0, got null'],
    [{ source: 'body', operator: 'matches', value: '^nothing' }, 'Expected body to match "^nothing"'],
  ])('%o', (assertion, message) => {
    expect(unmet(assertion)).toContain(message);
  });

  it('reports the first failure', () => {
    const first: HttpAssertion = { source: 'status', operator: 'equals', value: 500 };
    const second: HttpAssertion = { source: 'body', operator: 'contains', value: 'missing' };
    expect(firstUnmet([first, second], seen, LATENCY)).toContain('status');
    expect(firstUnmet([{ source: 'body', operator: 'exists' }, second], seen, LATENCY)).toContain('body');
  });
});

describe('assertions that cannot be evaluated', () => {
  it.each<[string, HttpAssertion]>([
    ['a missing header that should not contain a text', header('x-missing', 'notContains', 'x')],
    ['a missing value compared with "is not"', json('$.missing', 'notEquals', 'x')],
    ['a missing value compared by size', json('$.missing', 'lessThan', 5)],
    ['text compared by size', json('$.status', 'greaterThan', 1)],
    ['text within an object', json('$.services[0]', 'notContains', 'x')],
    ['a wrong JSON path', json('$.[', 'notExists')],
    ['a JSON path with three descendant segments', json('$..a..b..c', 'notExists')],
    ['a wrong pattern', { source: 'body', operator: 'matches', value: '(' }],
    ['a wrong pattern that must not match', { source: 'body', operator: 'notMatches', value: '(' }],
    ['a pattern that must not match, but does', { source: 'body', operator: 'notMatches', value: 'queue' }],
    ['a missing header that must not match', header('x-missing', 'notMatches', 'x')],
    ['a rule without a value', { source: 'body', operator: 'notContains' }],
  ])('%s', (_name, assertion) => {
    expect(unmet(assertion)).toEqual(expect.any(String));
  });

  it.each([
    ['a body that is not JSON', answer({ body: '<html>' }), 'The body is not JSON'],
    ['an empty body', answer({ body: '' }), 'The body is not JSON'],
    ['a truncated body', answer({ body: '{"a":', truncated: true }), 'longer than 1 MiB'],
  ])('fail on JSON of %s', (_name, from, message) => {
    expect(unmet(json('$.a', 'notExists'), from)).toContain(message);
  });

  it('fail on JSON nested too deep for its path', () => {
    const deep = answer({ body: `${'['.repeat(200)}${']'.repeat(200)}` });
    expect(unmet(json('$..a', 'notExists'), deep)).toContain('could not be evaluated');
  });
});

describe('a body that was not read to its end', () => {
  const of = (operator: HttpAssertion['operator'], value?: string): HttpAssertion => ({
    source: 'body' as const,
    operator,
    ...(value !== undefined && { value }),
  });
  const cut = answer({ body: 'all is well', truncated: true });
  const encoded = { ...answer({ body: '' }), unread: 'The body has an unknown encoding' };

  it.each([
    of('notContains', 'error'),
    of('notEquals', 'x'),
    of('equals', 'all is well'),
    of('notExists'),
    of('contains', 'error'),
    of('matches', 'well$'),
    json('$.error', 'notExists'),
  ])('fails the rule $source $operator with the reason', (assertion) => {
    expect(unmet(assertion, cut)).toContain('The body is longer than 1 MiB');
    expect(unmet(assertion, encoded)).toContain('The body has an unknown encoding');
  });

  it('meets rules that the part that was read decides', () => {
    for (const rule of [of('contains', 'well'), of('matches', '^all'), of('exists')])
      expect(unmet(rule, cut)).toBeNull();
  });
});

describe('response body', () => {
  it('is decoded by its charset', () => {
    const latin = {
      ...answer({ headers: { 'content-type': 'text/plain; charset="iso-8859-1"' } }),
      body: Buffer.from([0xe9]),
    };
    expect(unmet({ source: 'body', operator: 'equals', value: 'é' }, latin)).toBeNull();
  });

  it('is matched against a hostile pattern in linear time', () => {
    const long = answer({ body: `${'a'.repeat(50_000)}!` });
    expect(unmet({ source: 'body', operator: 'matches', value: '^(a+)+$' }, long)).toContain('to match');
    const filtered = answer({ body: JSON.stringify([`${'a'.repeat(20_000)}!`]) });
    expect(unmet(json('$[?match(@, "(a+)+")]', 'notExists'), filtered)).toBeNull();
  });
});

describe('names from Object.prototype', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'exist only if the response has them: %s',
    (name) => {
      expect(unmet(header(name, 'notExists'))).toBeNull();
      expect(unmet(header(name, 'exists'))).not.toBeNull();
      expect(unmet(json(`$.${name}`, 'notExists'))).toBeNull();
      const sent = Object.fromEntries([[name.toLowerCase(), 'here']]);
      const given = answer({
        statusCode: 200,
        headers: sent,
        body: JSON.stringify(Object.fromEntries([[name, 'here']])),
      });
      expect(unmet(header(name, 'equals', 'here'), given)).toBeNull();
      expect(unmet(json(`$.${name}`, 'equals', 'here'), given)).toBeNull();
    },
  );
});
