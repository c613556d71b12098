import { expect, it } from 'vitest';
import { toJsonLines } from '@/app/(dashboard)/(team)/monitors/_components/form/json-values';
import { readRuleValue, writeRuleValue } from '@/app/(dashboard)/(team)/monitors/_components/form/rule-value';
import { selectJson } from '@/server/monitor-types/http/select-json';

const document = {
  status: 'ok',
  queue: { depth: 512, 'oldest-seconds': 3.2, "it's": 'quoted', 'back\\slash': true, '': 'empty' },
  regions: ['fra', 'iad', null],
  none: {},
};

it('gives each value a path that selects it, and a text that a rule reads as the same value', () => {
  const lines = toJsonLines(JSON.stringify(document)) ?? [];
  const values = lines.flatMap(({ path, value }) => (value === undefined ? [] : [{ path, value }]));
  expect(values.map(({ path }) => path)).toEqual([
    '$.status',
    '$.queue.depth',
    "$.queue['oldest-seconds']",
    "$.queue['it\\'s']",
    "$.queue['back\\\\slash']",
    "$.queue['']",
    '$.regions[0]',
    '$.regions[1]',
  ]);
  for (const { path, value } of values) {
    expect(selectJson(document, path), path).toEqual([value]);
    expect(readRuleValue('json', writeRuleValue('json', value))).toBe(value);
  }
});

it('shows the document in lines that are JSON again', () => {
  const lines = toJsonLines(JSON.stringify(document)) ?? [];
  const text = lines.map(({ label, text: each, isLast }) => `${label}${each}${isLast ? '' : ','}`).join('\n');
  expect(JSON.parse(text)).toEqual(document);
});

it('has no lines for text that is not a JSON object or list, and at most 500 for a large one', () => {
  expect([toJsonLines('<html>'), toJsonLines('12'), toJsonLines('null'), toJsonLines('{"a":')]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(toJsonLines(JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index)))).toHaveLength(500);
});

it('shows a document that is nested as deep as 16 KiB allow', () => {
  expect(toJsonLines('['.repeat(8000) + ']'.repeat(8000))).not.toBeNull();
});
