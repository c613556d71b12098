import { describe, expect, it } from 'vitest';
import { compileExpressions } from '@/server/monitor-types/config/expressions';
import { HeartbeatConfig } from '@/server/monitor-types/heartbeat/definition';

const path = 'config.assertions.0.property';
const jsonPath = (source: string) => compileExpressions([{ path, kind: 'jsonPath', source }]);
const pattern = (source: string) => compileExpressions([{ path, kind: 'pattern', source }]);

describe('compileExpressions', () => {
  it.each(['$.status', '$..services[?@.name == "a..b..c..d"].up', '$[?match(@.name, "a.*") && count($..*) > 0]'])(
    'accepts the JSON path %s',
    (source) => expect(jsonPath(source)).toEqual([]),
  );

  it.each([
    ['$[', 'unclosed'],
    ['status', 'such as $.status'],
    ['$.a[?none(@)]', 'such as $.status'],
    ['$..a..b..c', 'more than 2'],
    ['$..a[?count($..*) > 0 && count(@..*) > 0]', 'more than 2'],
  ])('rejects the JSON path %s at its field', (source, message) => {
    expect(jsonPath(source)).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  it.each(['^ok$', '(?i)status: (up|fine)', '[ab]{1000}', '\\pL{1000}'])('accepts the pattern %s', (source) => {
    expect(pattern(source)).toEqual([]);
  });

  it.each([
    ['(', 'RE2 syntax'],
    ['(?=x)', 'RE2 syntax'],
    ['(?:a?){1000}'.repeat(20), 'too large'],
  ])('rejects the pattern %s at its field', (source, message) => {
    expect(pattern(source)).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  it('rejects a cron schedule that runs never or every 28 years, which its schema does not check', () => {
    const cron = (source: string, timezone = 'UTC') =>
      compileExpressions([{ path: 'config.cron', kind: 'cron', source, timezone }]);
    const fault = { path: 'config.cron', message: 'This schedule never runs, or less than once in eight years.' };
    for (const source of ['0 0 30 2 *', '* * LW * +0,6', '0 0 29 2 +1', '0 0 * 2 1#5']) {
      expect(HeartbeatConfig.safeParse({ cron: source }).success).toBe(true);
      expect(cron(source), source).toEqual([fault]);
    }
    // Clocks skip these times each year.
    expect(cron('* 2 * 3 0L', 'Europe/Berlin')).toEqual([fault]);
    expect(cron('*/30 2 * 3 SUN#2', 'America/New_York')).toEqual([fault]);
    expect(cron('* 2 * 3 0L')).toEqual([]);
    expect(cron('30 2 * 3 0L', 'Europe/Berlin')).toEqual([]);
    for (const source of ['0 0 29 2 *', '0 0 1 1 *', '0 0 13 * +5', '0 3 * * 1-5', 'none']) {
      expect(cron(source), source).toEqual([]);
    }
    expect(cron('0 3 * * *', 'Mars/Olympus')).toEqual([]);
    expect(HeartbeatConfig.safeParse({ cron: 'none' }).success).toBe(false);
  });

  it('reports every invalid expression', () => {
    const expression = (at: string, source: string) => ({ path: at, kind: 'pattern' as const, source });
    const faults = compileExpressions([expression('a', '('), expression('b', 'fine'), expression('c', ')')]);
    expect(faults.map((fault) => fault.path)).toEqual(['a', 'c']);
  });
});
