import { describe, expect, it } from 'vitest';
import { maskConfig, openConfig, sealConfig } from '@/server/monitor-types/config/config-secrets';
import { savesResponseBody } from '@/server/monitor-types/config/saves-response-body';
import { judgeStep } from '@/server/monitor-types/multistep/judge';
import { expressionsOf, MultistepConfig, shortReason, type TypedConfig } from '@/server/monitor-types/schema';
import { AppError } from '@/server/platform/errors';
import { answer } from '@/tests/unit/checks/observations';

const login = {
  name: 'Log in',
  method: 'POST',
  url: 'https://shop.test/login?shop=1',
  headers: { 'x-api-key': 'a secret header 1234' },
  body: '{"password": "{{password}}"}',
  extract: [{ name: 'token', expression: '$.token' }],
};
const cart = { name: 'Cart', url: 'https://shop.test/cart', headers: { authorization: 'Bearer {{token}}' } };
const valid = { steps: [login, cart], variables: { password: 'a long password' } };

/** The issues of a config as "path: message". */
function faults(config: object): string[] {
  const { error } = MultistepConfig.safeParse(config);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

const typed = (config: object) => ({ type: 'multistep', config: MultistepConfig.parse(config) }) as TypedConfig;

describe('MultistepConfig', () => {
  it('accepts variables of earlier steps and of the monitor', () => {
    expect(faults(valid)).toEqual([]);
    expect(faults({ steps: [login, { ...cart, url: '{{token}}' }], variables: valid.variables })).toEqual([]);
  });

  it.each([
    ['no step', { steps: [] }, 'steps: Add a step.'],
    ['a URL without a scheme', { steps: [{ ...cart, url: 'shop.test' }] }, 'steps.0.url: Enter a complete URL'],
    [
      'a password in the URL',
      { steps: [{ name: 'A', url: 'https://a:b@c.test/' }] },
      'steps.0.url: Enter the username',
    ],
    [
      'a value of a later step',
      { steps: [{ ...cart, url: 'https://a.test/{{token}}' }, login] },
      'steps.0.url: No earlier',
    ],
    [
      'an unknown value in a header',
      { steps: [cart] },
      'steps.0.headers.authorization: No earlier step takes a value "token"',
    ],
    ['an unknown value in a body', { steps: [login] }, 'steps.0.body: No earlier step takes a value "password"'],
    [
      'a variable as the first host',
      { steps: [{ name: 'A', url: 'https://{{x}}/' }], variables: { x: 'a.test' } },
      'steps.0.url: The first step',
    ],
    [
      'a stored variable as a host',
      { ...valid, steps: [login, { ...cart, url: 'https://{{password}}/' }] },
      'steps.1.url: Enter the host itself',
    ],
    [
      'a name twice',
      { ...valid, steps: [login, { ...cart, name: 'Log in' }] },
      'steps.1.name: Use each name only once.',
    ],
    [
      'a value named like a variable',
      { steps: [login], variables: { password: 'x', token: 'y' } },
      'steps.0.extract.0.name: A variable',
    ],
    [
      'a name with a hyphen',
      { steps: [{ ...cart, headers: {}, extract: [{ name: 'a-b', expression: 'x' }] }] },
      'steps.0.extract.0.name: A name',
    ],
    [
      'eleven steps',
      { steps: Array.from({ length: 11 }, (_, at) => ({ name: `${at}`, url: 'https://a.test/' })) },
      'steps: Use at most 10 steps.',
    ],
  ])('rejects %s', (_name, config, wanted) => {
    expect(faults(config).join('\n')).toContain(wanted);
  });

  it.each(['https:/{{x}}/', 'https:{{x}}', 'https:\\\\{{x}}', 'https://\n/{{x}}/', 'https:///{{x}}/', 'ftp://{{x}}/'])(
    'rejects the spelling %j, whose server would be hidden',
    (url) => {
      const steps = [login, { ...cart, url }];
      expect(faults({ steps, variables: { ...valid.variables, x: 'a.test' } }).join()).toContain('steps.1.url');
    },
  );

  it('limits the rules and values of all steps together', () => {
    const assertions = Array.from({ length: 30 }, () => ({ source: 'body', operator: 'exists' }));
    const steps = ['A', 'B'].map((name) => ({ name, url: 'https://a.test/', assertions }));
    expect(faults({ steps })).toEqual(['steps: Use at most 50 rules in all steps.']);
    const extract = Array.from({ length: 15 }, (_, at) => ({ name: `v${at}`, expression: '$' }));
    const taking = ['A', 'B'].map((name) => ({ name, url: 'https://a.test/', extract }));
    expect(faults({ steps: taking })).toEqual(['steps: Take at most 20 values in all steps.']);
  });

  it('names the expressions of steps by their fields', () => {
    const assertions = [{ source: 'body', operator: 'matches', value: 'a+' }];
    const extract = [
      { name: 'a', from: 'header', expression: 'x' },
      { name: 'b', from: 'body', expression: 'b(.)' },
    ];
    expect(expressionsOf({ steps: [{ assertions, extract }] })).toEqual([
      { path: 'config.steps.0.assertions.0.value', kind: 'pattern', source: 'a+' },
      { path: 'config.steps.0.extract.1.expression', kind: 'pattern', source: 'b(.)' },
    ]);
  });
});

describe('secrets of steps', () => {
  const sealed = sealConfig(typed(valid));

  it('are encrypted and masked, except headers that only name variables', () => {
    const text = JSON.stringify(sealed);
    for (const secret of ['a long password', 'secret header', 'shop=1']) expect(text).not.toContain(secret);
    expect(maskConfig('multistep', sealed)).toMatchObject({
      steps: [
        { url: 'https://shop.test/login?••••', headers: { 'x-api-key': '••••1234' }, body: '••••' },
        { url: 'https://shop.test/cart', headers: { authorization: 'Bearer {{token}}' } },
      ],
      variables: { password: '••••word' },
    });
    expect(openConfig('multistep', sealed).config).toEqual(MultistepConfig.parse(valid));
  });

  it('are kept by their masks when steps move, get a name or a neighbour of the same server', () => {
    const masked = maskConfig('multistep', sealed) as typeof valid & { steps: (typeof login)[] };
    const [first, second] = masked.steps;
    const plain = { ...second, headers: {} };
    const moved = sealConfig(typed({ ...masked, steps: [plain, first] }), sealed);
    expect((openConfig('multistep', moved).config as MultistepConfig).steps[1]).toMatchObject(login);
    const renamed = sealConfig(typed({ ...masked, steps: [{ ...first, name: 'Sign in' }, second] }), sealed);
    expect((openConfig('multistep', renamed).config as MultistepConfig).steps[0]?.headers).toEqual(login.headers);
  });

  it('must be entered again if a step connects to another server, or takes a host from other values', () => {
    const masked = maskConfig('multistep', sealed) as unknown as { steps: object[] };
    const [first] = masked.steps;
    const away = typed({ ...masked, steps: [first, { name: 'Away', url: 'https://evil.test/{{token}}' }] });
    expect(() => sealConfig(away, sealed)).toThrow(AppError);
    const before = sealConfig(typed({ ...valid, steps: [login, { ...cart, url: '{{token}}' }] }));
    const shown = maskConfig('multistep', before) as unknown as { steps: object[] };
    const extract = [{ name: 'token', expression: '$.another' }];
    const other = typed({ ...shown, steps: [{ ...shown.steps[0], extract }, shown.steps[1]] });
    expect(() => sealConfig(other, before)).toThrow('different server');
    expect(() => sealConfig(typed(shown), before)).not.toThrow();
  });

  it('keep response bodies from being stored, as values that are taken do', () => {
    const open = { steps: [{ name: 'A', url: 'https://a.test/' }] };
    expect(savesResponseBody(typed(open))).toBe(true);
    const extract = [{ name: 'a', expression: '$.a' }];
    expect(savesResponseBody(typed({ steps: [{ ...open.steps[0], extract }] }))).toBe(false);
    expect(savesResponseBody(typed({ ...open, variables: { a: 'secret' } }))).toBe(false);
  });
});

describe('judgeStep', () => {
  const step = MultistepConfig.parse({ steps: [{ name: 'A', url: 'https://a.test/' }] }).steps[0];
  const take = (
    extract: { name: string; from: 'json' | 'header' | 'body'; expression: string }[],
    body: string,
    more = {},
  ) => {
    if (!step) throw new Error('The config has a step.');
    return judgeStep({ step: { ...step, extract }, answer: answer({ body, ...more }), latencyMs: 1, isSaved: true });
  };
  const json = (expression: string) => [{ name: 'v', from: 'json' as const, expression }];
  const pattern = (expression: string) => [{ name: 'v', from: 'body' as const, expression }];

  it.each([
    ['a text', json('$.a'), '{"a":"x"}', 'x'],
    ['a number', json('$.a[1]'), '{"a":[1,2]}', '2'],
    ['an object', json('$.a'), '{"a":{"b":1}}', '{"b":1}'],
    ['a group', pattern('name="csrf" value="([^"]+)"'), '<input name="csrf" value="t0k">', 't0k'],
    ['a match', pattern('ord-\\d+'), 'see ord-17', 'ord-17'],
  ])('takes %s', (_name, extract, body, wanted) => {
    expect(take(extract, body)).toMatchObject({ fault: null, values: [['v', wanted]] });
  });

  it('takes a header', () => {
    const extract = [{ name: 'v', from: 'header' as const, expression: 'X-Csrf' }];
    expect(take(extract, '', { headers: { 'x-csrf': 'abc' } }).values).toEqual([['v', 'abc']]);
    expect(take(extract, '').fault).toBe('No value for "v" (header X-Csrf)');
  });

  it.each([
    ['nothing is selected', json('$.b'), '{"a":1}', 'No value for "v" (JSON $.b)'],
    ['it is null', json('$.a'), '{"a":null}', 'No value for "v" (JSON $.a)'],
    ['it is empty', json('$.a'), '{"a":""}', 'The value for "v" (JSON $.a) is empty'],
    ['the body is not JSON', json('$.a'), '<html>', 'The body is not JSON'],
    ['it is too long', json('$.a'), `{"a":"${'x'.repeat(9_000)}"}`, 'is longer than 8,192 characters'],
    ['nothing matches', pattern('z+'), 'abc', 'No value for "v" (pattern z+)'.replace('pattern', 'body')],
  ])('fails if %s, with its rule', (_name, extract, body, wanted) => {
    const { fault, rules, values } = take(extract, body);
    expect(fault).toContain(wanted);
    expect(values).toEqual([]);
    expect(rules.at(-1)).toMatchObject({ value: null, isMet: false });
  });

  it('shows no value in its rule', () => {
    expect(JSON.stringify(take(json('$.a'), '{"a":"a-secret-value"}').rules)).not.toContain('a-secret-value');
  });
});

it('shortens the reason of a step', () => {
  expect(shortReason('Step 2 "Log in": Expected status 200-299, got 401')).toBe(
    'Step 2 "Log in": 401, expected 200–299',
  );
});
