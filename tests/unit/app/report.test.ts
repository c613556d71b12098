import { describe, expect, it } from 'vitest';
import {
  choiceToQuery,
  readChoice,
  readObjective,
  reportInput,
} from '@/app/(dashboard)/(team)/reports/_components/report-choice';
import {
  budgetState,
  budgetWords,
  burnWords,
  spanWords,
} from '@/app/(dashboard)/(team)/reports/_components/report-words';

const read = (query: string) => {
  const params = new URLSearchParams(query);
  return readChoice((name) => params.get(name));
};
const now = new Date('2026-03-15T12:00:00Z');

describe('the choice of a report', () => {
  it('is what the URL says', () => {
    for (const query of ['', 'period=7d&tag=eu&objective=99.95', `monitors=${'A'.repeat(26)}`]) {
      expect(choiceToQuery(read(query))).toBe(query);
    }
    expect(choiceToQuery(read('period=ever&objective=101&monitors=x,y'))).toBe('');
  });

  it.each([
    ['7d', '2026-03-09', '2026-03-15'],
    ['30d', '2026-02-14', '2026-03-15'],
    ['month', '2026-03-01', '2026-03-15'],
    ['last-month', '2026-02-01', '2026-02-28'],
  ])('asks for the days of %s', (period, firstDay, lastDay) => {
    expect(reportInput(read(`period=${period}`), now)).toEqual({ firstDay, lastDay, objective: 99.9 });
  });

  it('asks for the last month in January', () => {
    const input = reportInput(read('period=last-month'), new Date('2026-01-02T00:00:00Z'));
    expect(input).toMatchObject({ firstDay: '2025-12-01', lastDay: '2025-12-31' });
  });

  it.each([
    ['99.95', 99.95],
    ['99,5 %', 99.5],
    ['100', null],
    ['49', null],
    ['much', null],
    ['', null],
  ])('reads the objective %j as %s', (text, value) => {
    expect(readObjective(text)).toBe(value);
  });
});

describe('the words of a report', () => {
  it('never say more budget than is left', () => {
    expect(budgetWords({ budgetSeconds: 1000, leftSeconds: 999, burnRate: 0.001 })).toEqual({
      share: '99 %',
      time: '16 min 39 s left',
    });
    expect(budgetWords({ budgetSeconds: 1000, leftSeconds: -61, burnRate: 1.061 })).toEqual({
      share: '0 %',
      time: 'exceeded by 1 min 1 s',
    });
    expect(budgetWords({ budgetSeconds: null, leftSeconds: null, burnRate: null }).time).toBe('No data');
  });

  it('round the burn rate up', () => {
    const burn = (burnRate: number | null) => burnWords({ budgetSeconds: 1, leftSeconds: 1, burnRate });
    expect([0, 0.001, 0.5, 1, 1.0001, null].map(burn)).toEqual(['0.00×', '0.01×', '0.50×', '1.00×', '1.01×', '–']);
  });

  it('mark what is met, at risk and missed', () => {
    const state = (leftSeconds: number | null, burnRate: number | null) =>
      budgetState({ budgetSeconds: 100, leftSeconds, burnRate });
    expect([state(100, 0), state(25, 0.75), state(20, 0.8), state(-1, 1.01), state(null, null)]).toEqual([
      'up',
      'up',
      'degraded',
      'down',
      'pending',
    ]);
  });

  it('name the last day of the span', () => {
    expect(spanWords({ from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' })).toBe(
      '1 Mar 2026 to 31 Mar 2026',
    );
  });
});
