import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatCount,
  formatDuration,
  formatInterval,
  formatLatency,
  formatLongDuration,
  formatMs,
  formatPercent,
  formatTimestamp,
  percentDigits,
} from '@/app/_components/format';

describe('formatPercent', () => {
  it.each([
    [1, '100 %'],
    [0.99957, '99.957 %'],
    [0.99912, '99.912 %'],
    [0.99998, '99.998 %'],
    [0.5, '50 %'],
    [0, '0 %'],
    [null, '–'],
  ])('formats %s as %s', (ratio, text) => {
    expect(formatPercent(ratio)).toBe(text);
  });

  it.each([
    [0.999999, '99.999 %'],
    [0.999999999999, '99.999 %'],
    [1 - Number.EPSILON, '99.999 %'],
    [0.9995699, '99.956 %'],
    [0.000009, '0 %'],
  ])('never rounds up: formats %s as %s', (ratio, text) => {
    expect(formatPercent(ratio)).toBe(text);
  });

  it('keeps every exact thousandth of a percent', () => {
    for (let thousandths = 0; thousandths < 100_000; thousandths += 1) {
      if (percentDigits(thousandths / 100_000) !== String(thousandths / 1000)) {
        expect(percentDigits(thousandths / 100_000)).toBe(String(thousandths / 1000));
      }
    }
  });

  it('stays between 0 and 100', () => {
    expect(formatPercent(-0.1)).toBe('0 %');
    expect(formatPercent(1.2)).toBe('100 %');
  });
});

describe('formatDuration', () => {
  it.each([
    [-5, '0 s'],
    [0.9, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [14 * 60 + 56, '14 min'],
    [3600, '1 h'],
    [3840, '1 h 4 min'],
    [9 * 3600 + 59 * 60 + 59, '9 h 59 min'],
    [19 * 3600 + 1800, '19 h'],
    [86_399, '23 h'],
    [41 * 86_400, '41 d'],
    [1200 * 86_400, '1,200 d'],
  ])('formats %s s as %s in a table', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it.each([
    [-1, '0 s'],
    [45, '45 s'],
    [896, '14 min 56 s'],
    [840, '14 min'],
    [7500, '2 h 5 min'],
    [7200, '2 h'],
    [3 * 86_400 + 4 * 3600 + 59, '3 d 4 h'],
    [86_400, '1 d'],
  ])('formats %s s as %s in a sentence', (seconds, text) => {
    expect(formatLongDuration(seconds)).toBe(text);
  });

  it.each([
    [0.4, 'now'],
    [-3, 'now'],
    [8.7, '8 s ago'],
    [240, '4 min ago'],
  ])('formats %s s ago as %s', (seconds, text) => {
    expect(formatAgo(seconds)).toBe(text);
  });

  it.each([
    [5, '5 s'],
    [60, '1 min'],
    [90, '90 s'],
    [3600, '1 h'],
    [86_400, '1 d'],
  ])('formats an interval of %s s as exactly %s', (seconds, text) => {
    expect(formatInterval(seconds)).toBe(text);
  });
});

describe('formatMilliseconds and formatCount', () => {
  it.each([
    [null, '–', '–'],
    [0, '0 ms', '0 ms'],
    [186.6, '187 ms', '187 ms'],
    [999.6, '1,000 ms', '1 s'],
    [1234, '1,234 ms', '1.2 s'],
    [9960, '9,960 ms', '10 s'],
    [12_400, '12,400 ms', '12 s'],
  ])('formats %s as %s in a table and %s in a sentence', (ms, table, sentence) => {
    expect(formatMs(ms)).toBe(table);
    expect(formatLatency(ms)).toBe(sentence);
  });

  it('separates thousands', () => {
    expect(formatCount(1284)).toBe('1,284');
  });
});

describe('formatTimestamp', () => {
  const at = '2026-11-17T03:16:20.000Z';
  const on = (now: string, timeZone = 'UTC') => formatTimestamp(at, { style: 'short', now: Date.parse(now), timeZone });

  it('omits the parts shared with the current time', () => {
    expect(on('2026-11-17T23:59:00Z')).toBe('03:16:20');
    expect(on('2026-11-18T00:01:00Z')).toBe('17 Nov 03:16');
    expect(on('2027-01-01T00:00:00Z')).toBe('17 Nov 2026');
  });

  it('uses the days of the given zone', () => {
    expect(on('2026-11-17T23:59:00Z', 'Asia/Tokyo')).toBe('17 Nov 12:16');
    expect(on('2026-11-17T14:00:00Z', 'Asia/Tokyo')).toBe('12:16:20');
  });

  it('shows all parts in the full style', () => {
    expect(formatTimestamp(at, { style: 'full', now: 0, timeZone: 'UTC' })).toBe('Tue 17 Nov 2026, 03:16:20 UTC');
  });

  it('shows a dash for an invalid time', () => {
    expect(formatTimestamp('soon', { style: 'short', now: 0 })).toBe('–');
  });
});
