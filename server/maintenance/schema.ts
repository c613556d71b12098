import { z } from 'zod';
import { IfUpdatedAt } from '@/server/text/schema';
import { DAY_MS } from '@/server/time/schema';

const YEAR_MS = 366 * DAY_MS;

const Title = z.string().trim().min(1).max(200);
const Description = z.string().trim().max(4000).nullable();
const FIRST = Date.parse('1970-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A time with its zone (ISO 8601). Stored and returned in UTC, where its year must have four digits too: other years can be neither stored nor
 * formatted.
 */
export const Instant = z.iso
  .datetime({ offset: true, error: 'Enter a time such as 2026-11-20T03:00:00Z.' })
  .refine(
    (text) => !(Date.parse(text) < FIRST || Date.parse(text) > LAST),
    'Enter a time between the years 1970 and 9999, in UTC.',
  );
const MonitorIds = z.array(z.string().max(64)).min(1, 'Provide at least one monitor, or null for all.').max(1000);

/** A scheduled maintenance window; `monitorIds` null covers all monitors of the team. */
export const MaintenanceWindow = z.object({
  id: z.string(),
  teamId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  monitorIds: z.array(z.string()).nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>;

/** The error for an invalid length of a window, or null. */
export function whyNotBetween(startsAt: Date, endsAt: Date): string | null {
  if (endsAt <= startsAt) return 'The end must be after the start.';
  return endsAt.getTime() - startsAt.getTime() > YEAR_MS ? 'A maintenance window can last at most one year.' : null;
}

/** A new window; without `monitorIds` it covers all monitors of the team. */
export const CreateMaintenanceWindowInput = z
  .strictObject({
    title: Title,
    description: Description.optional(),
    startsAt: Instant,
    endsAt: Instant,
    monitorIds: MonitorIds.nullable().optional(),
  })
  .superRefine(({ startsAt, endsAt }, ctx) => {
    const message = whyNotBetween(new Date(startsAt), new Date(endsAt));
    if (message !== null) ctx.addIssue({ code: 'custom', path: ['endsAt'], message });
  });
export type CreateMaintenanceWindowInput = z.infer<typeof CreateMaintenanceWindowInput>;

/** Changes to a window; at least one is required. */
export const UpdateMaintenanceWindowInput = z
  .strictObject({
    id: z.string(),
    title: Title.optional(),
    description: Description.optional(),
    startsAt: Instant.optional(),
    endsAt: Instant.optional(),
    monitorIds: MonitorIds.nullable().optional(),
    ifUpdatedAt: IfUpdatedAt,
  })
  .refine(
    ({ id: _id, ifUpdatedAt: _version, ...changes }) => Object.values(changes).some((value) => value !== undefined),
    {
      message: 'Provide at least one of title, description, startsAt, endsAt, monitorIds.',
    },
  );
export type UpdateMaintenanceWindowInput = z.infer<typeof UpdateMaintenanceWindowInput>;
