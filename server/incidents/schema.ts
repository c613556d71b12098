import { z } from 'zod';
import { Page } from '@/server/lists/schema';
import { Instant } from '@/server/maintenance/schema';
import { MonitorStatus, MonitorType } from '@/server/monitors/schema';

export const IncidentType = z.enum(['downtime', 'degraded', 'certificate', 'manual']);
export const IncidentStatus = z.enum(['open', 'acknowledged', 'resolved']);

/** An incident as REST returns it. */
export const Incident = z.object({
  id: z.string(),
  monitorId: z.string().nullable(),
  teamId: z.string(),
  type: IncidentType,
  status: IncidentStatus,
  title: z.string().nullable(),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
  cause: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type Incident = z.infer<typeof Incident>;

/** One line of an incident's story; `authorName` is null where Upwatch wrote it. */
export const IncidentUpdate = z.object({
  id: z.string(),
  kind: z.enum(['opened', 'acknowledged', 'resolved', 'note']),
  message: z.string(),
  authorName: z.string().nullable(),
  /** Whether status pages that show the incident show this note. */
  isPublic: z.boolean(),
  at: z.iso.datetime(),
});
export type IncidentUpdate = z.infer<typeof IncidentUpdate>;

/** What the list of incidents takes: a page, and which of them. `from` and `to` are a stretch in which they were not resolved. */
export const ListIncidentsInput = Page.extend({
  status: z.enum(['open', 'acknowledged', 'resolved', 'unresolved']).optional(),
  monitorId: z.string().optional(),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type ListIncidentsInput = z.infer<typeof ListIncidentsInput>;

const Title = z.string().trim().min(1, 'Enter a title.').max(200, 'Use at most 200 characters.');
const Cause = z.string().trim().min(1, 'Enter a cause.').max(4000, 'Use at most 4,000 characters.');

/** An incident somebody opens by hand; without a monitor it concerns the team as a whole. */
export const CreateIncidentInput = z.strictObject({
  title: Title,
  cause: Cause.optional(),
  monitorId: z.string().max(64).nullable().optional(),
  type: IncidentType.default('manual'),
});
export type CreateIncidentInput = z.infer<typeof CreateIncidentInput>;

/** What the list of an incident's updates takes. */
export const ListUpdatesInput = Page.extend({ id: z.string() });
export type ListUpdatesInput = z.infer<typeof ListUpdatesInput>;

/** A note on an incident: the team's own, unless `isPublic` shows it to customers too. */
export const AddUpdateInput = z.strictObject({
  id: z.string(),
  message: z.string().trim().min(1, 'Enter a message.').max(4000, 'Use at most 4,000 characters.'),
  isPublic: z.boolean().optional(),
});
export type AddUpdateInput = z.infer<typeof AddUpdateInput>;

/** Changes to an incident's words, at least one. */
export const UpdateIncidentInput = z
  .strictObject({ id: z.string(), title: Title.optional(), cause: Cause.optional() })
  .refine(({ title, cause }) => title !== undefined || cause !== undefined, 'Provide a title, a cause or both.');
export type UpdateIncidentInput = z.infer<typeof UpdateIncidentInput>;

/** A line of the dashboard's list of incidents. */
export const IncidentListRow = Incident.extend({ monitorName: z.string().nullable() });
export type IncidentListRow = z.infer<typeof IncidentListRow>;

/** All an incident's page shows. */
export const IncidentDetail = z.object({
  incident: Incident,
  monitor: z
    .object({ name: z.string(), type: MonitorType, status: MonitorStatus, lastError: z.string().nullable() })
    .nullable(),
  updates: z.array(IncidentUpdate),
  /** Who was told, and how that went. */
  messages: z.array(
    z.object({
      id: z.string(),
      event: z.string(),
      status: z.enum(['pending', 'delivered', 'failed']),
      channelName: z.string(),
      channelType: z.string(),
      attempts: z.int(),
      lastAttemptAt: z.iso.datetime().nullable(),
      lastError: z.string().nullable(),
      nextAttemptAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type IncidentDetail = z.infer<typeof IncidentDetail>;
