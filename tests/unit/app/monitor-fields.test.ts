import { describe, expect, test } from 'vitest';
import { parseDuration, writeDuration } from '@/app/(dashboard)/(team)/monitors/_components/form/duration';
import { readRuleValue, writeRuleValue } from '@/app/(dashboard)/(team)/monitors/_components/form/rule-value';
import { completeAddress, suggestName } from '@/server/monitor-types/schema';

describe('time fields', () => {
  test.each([
    ['800 ms', 800],
    ['0.5 s', 500],
    ['1min', 60_000],
    [' 2 S ', 2000],
    ['', null],
  ])('reads %j as %j ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['10', 'soon', '5 parsecs', '-1 s'])('rejects %j as a time', (text) => {
    expect(parseDuration(text)).toBeNaN();
  });

  test.each([800, 1000, 1500, 10_000, 1234])('reads %d ms back as entered', (ms) => {
    expect(parseDuration(writeDuration(ms))).toBe(ms);
  });
});

describe('rule fields', () => {
  test.each([
    ['json', '5', 5],
    ['json', 'true', true],
    ['json', '"5"', '5'],
    ['json', 'ok', 'ok'],
    ['status', '200', 200],
    ['body', '200', '200'],
  ] as const)('parses the %s rule value %s', (source, text, value) => {
    expect(readRuleValue(source, text)).toBe(value);
    expect(readRuleValue(source, writeRuleValue(source, value))).toBe(value);
  });

  test('quotes a text that looks like a number', () => {
    expect(writeRuleValue('json', '5')).toBe('"5"');
  });
});

test.each([
  ['northwind.example', 'https://northwind.example', 'northwind.example'],
  ['http://www.northwind.example/shop/', 'http://www.northwind.example/shop/', 'northwind.example/shop'],
  ['localhost:3000', 'http://localhost:3000', 'localhost:3000'],
  ['127.0.0.1:8080/up', 'http://127.0.0.1:8080/up', '127.0.0.1:8080/up'],
  ['10.0.0.example', 'https://10.0.0.example', '10.0.0.example'],
  ['', '', ''],
  ['http://', 'http://', ''],
])('reads %j as %j and labels it %j', (text, address, name) => {
  expect(completeAddress(text)).toBe(address);
  expect(suggestName(text)).toBe(name);
});
