import { describe, expect, test } from 'vitest';
import {
  arrange,
  attentionCount,
  isSameOrder,
  orderOf,
} from '@/app/(dashboard)/(team)/monitors/_components/stable-order';

const row = (id: string, status = 'up') => ({ id, status });

describe('stableOrder', () => {
  const order = orderOf([row('a', 'down'), row('b'), row('c')]);

  test('keeps the positions of rows when the input order changes', () => {
    expect(arrange([row('c', 'down'), row('a'), row('b')], order).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('appends new rows and closes the gap of removed rows', () => {
    expect(arrange([row('d'), row('c'), row('e'), row('a')], order).map(({ id }) => id)).toEqual(['a', 'c', 'd', 'e']);
  });

  test('keeps rows that needed attention in that group', () => {
    expect(order.attention).toBe(1);
    expect(attentionCount([row('b', 'down'), row('a', 'up'), row('c')], order)).toBe(1);
    expect(attentionCount([row('b'), row('c')], order)).toBe(0);
  });

  test('treats two orders as equal if their rows and their split are equal', () => {
    expect(isSameOrder(order, orderOf([row('a', 'unknown'), row('b'), row('c')]))).toBe(true);
    expect(isSameOrder(order, orderOf([row('a'), row('b'), row('c')]))).toBe(false);
    expect(isSameOrder(order, orderOf([row('b', 'down'), row('a'), row('c')]))).toBe(false);
  });
});
