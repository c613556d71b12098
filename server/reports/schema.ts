import { z } from 'zod';
import { MonitorType } from '@/server/monitor-lists/schema';
import { DAY_MS } from '@/server/time/schema';

/** The maximum number of monitors of a report. */
export const MOST_REPORTED = 500;
/** The maximum number of monitors that a report names one by one. */
export const MOST_NAMED = 100;
const LONGEST_DAYS = 366;

/** A day of the calendar, such as 2026-11-20. */
const Day = z.iso.date('Enter a day such as 2026-11-20.');

/** `monitorIds` separates IDs by commas; without it and without a tag, the report covers all monitors. */
export const ReportInput = z
  .strictObject({
    firstDay: Day,
    lastDay: Day,
    tag: z.string().max(50).optional(),
    monitorIds: z
      .string()
      .max(MOST_NAMED * 65)
      .refine((text) => text.split(',').length <= MOST_NAMED, `Name at most ${MOST_NAMED} monitors.`)
      .optional(),
    /** The share of time in percent that a monitor shall be up. */
    objective: z.number().min(50, 'Enter at least 50 %.').max(99.9999, 'Enter at most 99.9999 %.').default(99.9),
  })
  .superRefine(({ firstDay, lastDay }, ctx) => {
    const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
    const wrong = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    if (days < 1) wrong('lastDay', 'The last day must not be before the first.');
    else if (days > LONGEST_DAYS) wrong('lastDay', `A report can cover at most ${LONGEST_DAYS} days.`);
    else if (Date.parse(firstDay) > Date.now()) wrong('firstDay', 'The first day must not be in the future.');
  });
export type ReportInput = z.infer<typeof ReportInput>;

/** Uptime against an objective. Seconds; all of it is null without known time. */
const Budget = {
  /** up ÷ (up + down). */
  ratio: z.number().nullable(),
  upSeconds: z.number(),
  downSeconds: z.number(),
  maintenanceSeconds: z.number(),
  unknownSeconds: z.number(),
  excludedSeconds: z.number(),
  /** The downtime that the objective allows in the known time. */
  budgetSeconds: z.number().nullable(),
  /** The part of it that is left; negative if the objective is missed. */
  leftSeconds: z.number().nullable(),
  /** Downtime ÷ budget: 1 uses the budget up exactly when the span ends. */
  burnRate: z.number().nullable(),
};

const Times = {
  /** From hourly and daily histograms, at most 5 % off. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
};

export const ReportRow = z.object({ id: z.string(), name: z.string(), type: MonitorType, ...Budget, ...Times });
export type ReportRow = z.infer<typeof ReportRow>;

/** Uptime and response time of monitors in whole days (UTC) against an objective. */
export const Report = z.object({
  from: z.iso.datetime(),
  /** The end of the last day, or now. */
  to: z.iso.datetime(),
  objective: z.number(),
  /** The sum over all monitors of the report. */
  overall: z.object({ ...Budget, ...Times }),
  /** Highest burn rate first; those without known time last. */
  monitors: z.array(ReportRow),
  /** False if more than 500 monitors match: the report covers the first 500 by age. */
  isComplete: z.boolean(),
  /** How many of `monitorIds` the team does not have, such as deleted ones. */
  missing: z.int(),
});
export type Report = z.infer<typeof Report>;
