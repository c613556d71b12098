import { z } from 'zod';
import { Page } from '@/server/lists/schema';
import { Instant } from '@/server/maintenance/schema';
import { MonitorStatus, MonitorType } from '@/server/monitors/schema';

export const IncidentType = z.enum(['downtime', 'degraded', 'certificate', 'manual']);
export const IncidentStatus = z.enum(['open', 'acknowledged', 'resolved']);

/** An incident in REST responses. */
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

/** An update of an incident; `authorName` is null for generated updates. */
export const IncidentUpdate = z.object({
  id: z.string(),
  kind: z.enum(['opened', 'acknowledged', 'resolved', 'note']),
  message: z.string(),
  authorName: z.string().nullable(),
  /** Whether the note is shown on status pages. */
  isPublic: z.boolean(),
  at: z.iso.datetime(),
});
export type IncidentUpdate = z.infer<typeof IncidentUpdate>;

/** The input of the incident list. `from` and `to` select incidents that were open during that time. */
export const ListIncidentsInput = Page.extend({
  status: z.enum(['open', 'acknowledged', 'resolved', 'unresolved']).optional(),
  monitorId: z.string().optional(),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type ListIncidentsInput = z.infer<typeof ListIncidentsInput>;

const Title = z.string().trim().min(1, 'Enter a title.').max(200, 'Use at most 200 characters.');
const Cause = z.string().trim().min(1, 'Enter a cause.').max(4000, 'Use at most 4,000 characters.');

/** A manually created incident; without a monitor it concerns the whole team. */
export const CreateIncidentInput = z.strictObject({
  title: Title,
  cause: Cause.optional(),
  monitorId: z.string().max(64).nullable().optional(),
  type: IncidentType.default('manual'),
});
export type CreateIncidentInput = z.infer<typeof CreateIncidentInput>;

/** The input of the list of an incident's updates. */
export const ListUpdatesInput = Page.extend({ id: z.string() });
export type ListUpdatesInput = z.infer<typeof ListUpdatesInput>;

/** A note on an incident: internal, or also shown to customers with `isPublic`. */
export const AddUpdateInput = z.strictObject({
  id: z.string(),
  message: z.string().trim().min(1, 'Enter a message.').max(4000, 'Use at most 4,000 characters.'),
  isPublic: z.boolean().optional(),
});
export type AddUpdateInput = z.infer<typeof AddUpdateInput>;

/** Changes to title or cause; at least one is required. */
export const UpdateIncidentInput = z
  .strictObject({ id: z.string(), title: Title.optional(), cause: Cause.optional() })
  .refine(({ title, cause }) => title !== undefined || cause !== undefined, 'Provide a title, a cause or both.');
export type UpdateIncidentInput = z.infer<typeof UpdateIncidentInput>;

/** A row of the dashboard's incident list. */
export const IncidentListRow = Incident.extend({ monitorName: z.string().nullable() });
export type IncidentListRow = z.infer<typeof IncidentListRow>;

/** The data of an incident's page. */
export const IncidentDetail = z.object({
  incident: Incident,
  monitor: z
    .object({ name: z.string(), type: MonitorType, status: MonitorStatus, lastError: z.string().nullable() })
    .nullable(),
  updates: z.array(IncidentUpdate),
  /** The notifications with their delivery status. */
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
