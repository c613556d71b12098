import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findRepeatedName } from '@/server/api/rest/repeated-name';

it.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"b":{"c":[0,{"d":1,"e":2,"d":3}]}}', 'b.c.1.d'],
  [' { "a" : 1 , "a" : 2 } ', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"\\"":1,"\\"":2}', '"'],
  ['{"\\\\":1,"x":[],"\\\\":2}', '\\'],
  ['{"":1,"":2}', ''],
  ['{"a":{"a":1},"a":{}}', 'a'],
  ['{"a":[{},{}],"b":"}","b":0}', 'b'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['[{"a":1},{"a":1,"a":2}]', '1.a'],
])('finds in %s the repeated name %j', (json, path) => {
  JSON.parse(json);
  expect(findRepeatedName(json)).toBe(path);
});

it.each([
  '{"a":{"a":{"a":1}},"b":{"a":1}}',
  '{"a":"a","b":"a","c":["a","a"]}',
  '{"a":"\\",\\"a\\":1","b":"{\\"b\\":1,\\"b\\":2}"}',
  '[{"a":1},{"a":1}]',
  '"a"',
  '{"a":"\\\\","b":1}',
])('finds no repeated name in %s', (json) => {
  JSON.parse(json);
  expect(findRepeatedName(json)).toBeNull();
});

it('finds nothing in serialized objects and every name that was inserted twice', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const json = JSON.stringify(value);
      expect(findRepeatedName(json)).toBeNull();
      for (const name of Object.keys(value)) {
        const twice = `{${JSON.stringify(name)}:0,${json.slice(1)}`;
        expect(findRepeatedName(twice)).toBe(name.slice(0, 100));
      }
    }),
  );
});

it('keeps the reported path short, however long or deep the body is', () => {
  const deep = `${'{"a":'.repeat(50_000)}{"b":1,"b":2}${'}'.repeat(50_000)}`;
  expect(findRepeatedName(deep)).toHaveLength(39);
  const long = 'x'.repeat(100_000);
  expect(findRepeatedName(`{"${long}":1,"${long}":2}`)).toHaveLength(100);
});
