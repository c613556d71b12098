import { describe, expect, test } from 'vitest';
import { failureReason } from '@/app/(dashboard)/(team)/monitors/_components/failure-reason';
import {
  filtersToQuery,
  orderInput,
  overviewInput,
  readFilters,
  scopeOf,
} from '@/app/(dashboard)/(team)/monitors/_components/filters';
import {
  areSame,
  keepPlaces,
  type ListGroup,
  splitByAttention,
  toEntries,
} from '@/app/(dashboard)/(team)/monitors/_components/list-groups';
import { OverviewInput, OverviewOrderInput } from '@/server/monitor-types/schema';

const group = (key: string, ...ids: string[]): ListGroup => ({ key, heading: key, count: ids.length, ids });
const idsOf = (groups: ListGroup[]) => groups.map(({ key, ids }) => [key, ...ids]);

describe('keepPlaces', () => {
  const kept = splitByAttention(['a', 'b', 'c'], 1, 3);

  test('keeps the positions of rows when the input order changes', () => {
    expect(idsOf(keepPlaces(kept, splitByAttention(['c', 'a', 'b'], 1, 3), false))).toEqual([
      ['attention', 'a'],
      ['rest', 'b', 'c'],
    ]);
  });

  test('appends new rows and closes the gap of removed rows', () => {
    expect(idsOf(keepPlaces(kept, splitByAttention(['d', 'c', 'e', 'a'], 0, 4), false))).toEqual([
      ['attention', 'a'],
      ['rest', 'c', 'd', 'e'],
    ]);
  });

  test('keeps rows that needed attention in that group, and shows the current number', () => {
    const next = keepPlaces(kept, splitByAttention(['b', 'c', 'a'], 2, 3), false);
    expect(next.map(({ key, ids, count }) => [key, ids, count])).toEqual([
      ['attention', ['a'], 2],
      ['rest', ['b', 'c'], 1],
    ]);
    expect(idsOf(keepPlaces(kept, splitByAttention(['b', 'c'], 0, 2), false))).toEqual([['rest', 'b', 'c']]);
  });

  test('keeps a monitor with several tags in each of its groups, and adds a new one to its own', () => {
    const tags = [group('eu', 'a', 'b'), group('us', 'a')];
    const next = [group('us', 'c', 'a'), group('eu', 'b'), group('asia', 'a')];
    expect(idsOf(keepPlaces(tags, next, true))).toEqual([
      ['eu', 'b'],
      ['us', 'a', 'c'],
      ['asia', 'a'],
    ]);
  });
});

test('areSame compares the groups, their counts and their rows in order', () => {
  const groups = splitByAttention(['a', 'b', 'c'], 1, 3);
  expect(areSame(groups, splitByAttention(['a', 'b', 'c'], 1, 3))).toBe(true);
  expect(areSame(groups, splitByAttention(['a', 'b', 'c'], 0, 3))).toBe(false);
  expect(areSame(groups, splitByAttention(['b', 'a', 'c'], 1, 3))).toBe(false);
  expect(areSame(groups, splitByAttention(['a', 'b', 'c'], 1, 4))).toBe(false);
});

test('toEntries has a line for each heading, each row, and each row that is not known yet', () => {
  expect(toEntries(splitByAttention(['a', 'b'], 1, 4), 4)).toEqual([
    { key: 'attention', kind: 'heading', heading: 'Needs attention', count: 1 },
    { key: 'attention a', kind: 'row', id: 'a' },
    { key: 'rest', kind: 'heading', heading: 'Everything else', count: 3 },
    { key: 'rest b', kind: 'row', id: 'b' },
    { key: 'unknown 2', kind: 'row', id: null },
    { key: 'unknown 3', kind: 'row', id: null },
  ]);
  expect(toEntries(splitByAttention(['a'], 0, 1), 1)).toEqual([{ key: 'rest a', kind: 'row', id: 'a' }]);
});

describe('filters', () => {
  const read = (query: string) => {
    const params = new URLSearchParams(query);
    return readFilters((name) => params.get(name));
  };

  test('are the same after they were written to the URL and read', () => {
    const query =
      'status=down&q=shop&type=http&tag=eu&region=eu-west&channel=c1&parent=p1&sort=p95&group=tag&density=compact&hide=strip%2Cp95';
    expect(filtersToQuery(read(query))).toBe(query);
    expect(filtersToQuery(read(''))).toBe('');
    expect(filtersToQuery(read('sort=worst'))).toBe('');
  });

  test('ignore what is invalid, and make valid input of the API', () => {
    const filters = read(`status=odd&type=ftp&sort=best&group=all&density=x&hide=name,p95&q=${'x'.repeat(300)}&tag=EU`);
    expect(filtersToQuery(filters)).toBe(`q=${'x'.repeat(200)}&tag=eu&hide=p95`);
    expect(OverviewInput.safeParse(overviewInput(filters)).success).toBe(true);
    expect(OverviewOrderInput.safeParse(orderInput(filters)).success).toBe(true);
  });

  test('have a scope that density and columns do not change', () => {
    expect(scopeOf(read('sort=name&density=compact&hide=p95'))).toBe(scopeOf(read('sort=name')));
    expect(scopeOf(read('sort=name'))).not.toBe(scopeOf(read('sort=name&group=tag')));
  });
});

test('failureReason shortens an unexpected status, and is null for rows that do not fail', () => {
  const reason = (lastError: string | null, status: 'down' | 'up' | 'degraded' | 'maintenance' = 'down') =>
    failureReason({ status, lastError });
  expect(reason('Expected status 200-299, got 503')).toBe('503, expected 200–299');
  expect(reason('Expected status 200, 204, got 503 (2 of 3 regions: eu, us)')).toBe(
    '503, expected 200, 204 · 2 of 3 regions: eu, us',
  );
  expect(reason('Connection refused')).toBe('Connection refused');
  expect(reason('Slow', 'degraded')).toBe('Slow');
  expect(reason(null)).toBe(null);
  expect(reason('Connection refused', 'up')).toBe(null);
  expect(reason('Connection refused', 'maintenance')).toBe(null);
});
