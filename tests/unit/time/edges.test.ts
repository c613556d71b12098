import { describe, expect, it } from 'vitest';
import { isInside, nextEdge, periodAt } from '@/server/time/edges';

const at = (minute: number) => new Date(minute * 60_000);
const edges = [10, 20, 30, 40].map(at);

describe('edges', () => {
  it.each([
    [9, false, 10],
    [10, true, 20],
    [19, true, 20],
    [20, false, 30],
    [35, true, 40],
    [40, false, null],
  ])('returns the edges at minute %i: inside %s, next edge %s', (minute, inside, next) => {
    expect(isInside(edges, at(minute))).toBe(inside);
    expect(nextEdge(edges, at(minute))).toEqual(next === null ? null : at(next));
    expect(periodAt(edges, at(minute)) !== null).toBe(inside);
  });

  it('give the stretch that a moment is in', () => {
    expect(periodAt(edges, at(31))).toEqual({ startsAt: at(30), endsAt: at(40) });
  });
});
