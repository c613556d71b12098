import { describe, expect, test } from 'vitest';
import { barPaths, stripSentence, type Tick, worst } from '@/app/_components/charts/bars';

const options = { height: 20, pitch: 4, width: 3 };

function path(ticks: Tick[], fill: string): string {
  return barPaths(ticks, options).find((each) => each.fill === fill)?.d ?? '';
}

describe('bars', () => {
  test('draws up low, degraded higher and down at full height', () => {
    expect(path(['up'], 'up')).toBe('M0 11h3v9h-3z');
    expect(path(['degraded'], 'degraded')).toBe('M0 5.6h3v14.4h-3z');
    expect(path(['down'], 'down')).toBe('M0 0h3v20h-3z');
  });

  test('draws unknown dashed and maintenance split in two', () => {
    expect(path(['unknown'], 'unknown').match(/M/g)).toHaveLength(3);
    expect(path(['maintenance'], 'maintenance').match(/M/g)).toHaveLength(2);
  });

  test('draws no data, pending and paused as a line of two pixels', () => {
    expect(path([null], 'none')).toBe('M0 18h3v2h-3z');
    expect(path(['paused'], 'none')).toBe('M0 18h3v2h-3z');
    expect(path(['pending'], 'pending')).toBe('M0 18h3v2h-3z');
  });

  test('draws bars side by side, one path per fill', () => {
    const paths = barPaths(['up', 'up', 'down'], options);
    expect(paths).toEqual([
      { fill: 'up', d: 'M0 11h3v9h-3zM4 11h3v9h-3z' },
      { fill: 'down', d: 'M8 0h3v20h-3z' },
    ]);
  });

  test('picks the most severe status with worst()', () => {
    expect(worst(['up', 'degraded', null])).toBe('degraded');
    expect(worst(['up', null])).toBe('up');
    expect(worst([null])).toBeNull();
    expect(worst([])).toBeNull();
  });

  test.each<[Tick[], string]>([
    [['up', 'down', 'degraded'], 'Last 24 hours: down, degraded for part of the time'],
    [['up', 'up'], 'Last 24 hours: up'],
    [[null, 'up'], 'Last 24 hours: up, some data missing'],
    [[null, 'pending'], 'Last 24 hours: no data'],
  ])('describes %j as "%s"', (ticks, sentence) => {
    expect(stripSentence(ticks)).toBe(sentence);
  });
});
