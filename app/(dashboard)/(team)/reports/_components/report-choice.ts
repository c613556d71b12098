import { MOST_NAMED, type ReportInput } from '@/server/reports/schema';

export const periods = ['7d', '30d', '90d', 'month', 'last-month'] as const;
export type Period = (typeof periods)[number];

/** What a report covers: stored in the URL. */
export interface Choice {
  period: Period;
  tag: string;
  monitorIds: readonly string[];
  /** The objective in percent. */
  objective: number;
}

export const DEFAULT_OBJECTIVE = 99.9;

/** An objective as a person writes it: "99.95", "99,95 %". Null if it is no percentage that a report accepts. */
export function readObjective(text: string): number | null {
  const [, digits] = /^\s*(\d{2}(?:[.,]\d{1,4})?)\s*%?\s*$/.exec(text) ?? [];
  const value = Number(digits?.replace(',', '.'));
  return value >= 50 && value <= 99.9999 ? value : null;
}

/** Reads the choice from search parameters; ignores invalid values. */
export function readChoice(get: (name: string) => string | null): Choice {
  const ids = (get('monitors') ?? '').split(',').filter((id) => /^[0-9A-Z]{26}$/.test(id));
  return {
    period: periods.find((each) => each === get('period')) ?? '30d',
    tag: (get('tag') ?? '').slice(0, 50),
    monitorIds: [...new Set(ids)].slice(0, MOST_NAMED),
    objective: readObjective(get('objective') ?? '') ?? DEFAULT_OBJECTIVE,
  };
}

/** The search parameters of a choice, without a question mark. */
export function choiceToQuery({ period, tag, monitorIds, objective }: Choice): string {
  const query = new URLSearchParams();
  if (period !== '30d') query.set('period', period);
  if (tag) query.set('tag', tag);
  if (monitorIds.length > 0) query.set('monitors', monitorIds.join(','));
  if (objective !== DEFAULT_OBJECTIVE) query.set('objective', String(objective));
  return query.toString();
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The days (UTC) of a period that ends today, or with the last month. */
function daysOf(period: Period, now: Date): Pick<ReportInput, 'firstDay' | 'lastDay'> {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (period) {
    case 'month':
      return { firstDay: dayOf(Date.UTC(year, month, 1)), lastDay: dayOf(now.getTime()) };
    case 'last-month':
      return { firstDay: dayOf(Date.UTC(year, month - 1, 1)), lastDay: dayOf(Date.UTC(year, month, 0)) };
    default: {
      const days = Number.parseInt(period, 10);
      return { firstDay: dayOf(now.getTime() - (days - 1) * 86_400_000), lastDay: dayOf(now.getTime()) };
    }
  }
}

/** The input of the API for a choice. */
export function reportInput({ period, tag, monitorIds, objective }: Choice, now: Date): ReportInput {
  return {
    ...daysOf(period, now),
    ...(tag && { tag }),
    ...(monitorIds.length > 0 && { monitorIds: monitorIds.join(',') }),
    objective,
  };
}
