import { z } from 'zod';

import { MonitorStatus, MonitorType, OverviewGroup, OverviewSort } from '@/server/monitor-lists/schema';
import { IfUpdatedAt } from '@/server/text/schema';

/** The maximum number of saved views of a team. */
export const MOST_VIEWS = 20;

/** The search parameters of the list of monitors. */
const Parameters = z.strictObject({
  status: MonitorStatus.optional(),
  q: z.string().max(200).optional(),
  type: MonitorType.optional(),
  tag: z.string().max(50).optional(),
  region: z.string().max(64).optional(),
  channel: z.string().max(64).optional(),
  parent: z.string().max(64).optional(),
  sort: OverviewSort.optional(),
  group: OverviewGroup.optional(),
  density: z.literal('compact').optional(),
  hide: z.string().max(100).optional(),
});

/** Returns the error message for invalid search parameters of a view; null if they are valid. */
function faultOf(query: string): string | null {
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `${repeated} is given twice.`;
  const { error } = Parameters.safeParse(Object.fromEntries(parameters));
  const issue = error?.issues[0];
  if (!issue) return null;
  if (issue.code === 'unrecognized_keys') return `The list of monitors has no parameter ${issue.keys[0]}.`;
  return `${issue.path.join('.')}: ${issue.message}`;
}

const ViewName = z.string().trim().min(1, 'Enter a name.').max(60, 'Use at most 60 characters.');

/** The search parameters of the list of monitors, without a question mark: `tag=payments&sort=name`. */
const ViewQuery = z
  .string()
  .max(1_000, 'Use at most 1,000 characters.')
  .superRefine((query, ctx) => {
    const message = query.length <= 1_000 ? faultOf(query) : null;
    if (message) ctx.addIssue({ code: 'custom', message });
  });

/** A view of the list of monitors. `isDefault`: whether the list opens with it. */
export const SavedView = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string(),
  isDefault: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type SavedView = z.infer<typeof SavedView>;

export const CreateViewInput = z.strictObject({
  name: ViewName,
  query: ViewQuery,
  isDefault: z.boolean().default(false),
});
export type CreateViewInput = z.infer<typeof CreateViewInput>;

export const UpdateViewInput = z.strictObject({
  id: z.string(),
  name: ViewName.optional(),
  query: ViewQuery.optional(),
  isDefault: z.boolean().optional(),
  ifUpdatedAt: IfUpdatedAt,
});
export type UpdateViewInput = z.infer<typeof UpdateViewInput>;
