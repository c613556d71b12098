import { z } from 'zod';
import { ChannelState, DeliveryHold } from '@/server/channel-lists/schema';
import { Ids, Page } from '@/server/lists/schema';
import { Check, IncidentSeverity, MonitorStatus, MonitorType } from '@/server/monitor-lists/schema';
import { IfUpdatedAt, Instant, Line } from '@/server/text/schema';
import { incidentOrders, incidentStatuses, incidentTypes } from './values';

export { ALERT_EVENTS, MOST_OLDER_MESSAGES } from './values';
export { IncidentSeverity };

export const IncidentType = z.enum(incidentTypes);
export type IncidentType = z.infer<typeof IncidentType>;
export const IncidentStatus = z.enum(incidentStatuses);
export type IncidentStatus = z.infer<typeof IncidentStatus>;

/** A component of a status page, without a monitor, that an incident names. */
export const NamedComponent = z.object({
  id: z.string(),
  name: z.string(),
  statusPageId: z.string(),
  statusPageTitle: z.string(),
});
export type NamedComponent = z.infer<typeof NamedComponent>;

/** An incident in REST responses. */
export const Incident = z.object({
  id: z.string(),
  /** The first of `monitorIds`. */
  monitorId: z.string().nullable(),
  monitorIds: z.array(z.string()),
  /** The components of status pages that it affects; only manual incidents have any. */
  components: z.array(NamedComponent),
  teamId: z.string(),
  type: IncidentType,
  status: IncidentStatus,
  severity: IncidentSeverity,
  title: z.string().nullable(),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
  cause: z.string().nullable(),
  /** The member who works on it. */
  assigneeId: z.string().nullable(),
  /** The incident of a monitor that this one's monitor depends on. While it is open, no notifications are sent for this one. */
  parentIncidentId: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type Incident = z.infer<typeof Incident>;

/** An update of an incident; `authorName` is null for generated updates. */
export const IncidentUpdate = z.object({
  id: z.string(),
  /** `changed`: a user changed a field; the message says which. */
  kind: z.enum(['opened', 'acknowledged', 'resolved', 'note', 'changed', 'reopened']),
  message: z.string(),
  authorName: z.string().nullable(),
  /** Whether the note is shown on status pages. */
  isPublic: z.boolean(),
  at: z.iso.datetime(),
});
export type IncidentUpdate = z.infer<typeof IncidentUpdate>;

const Text = z.string();
const HeaderField = z.object({ name: Text, value: Text });
const Timings = Check.shape.timings;
const SeenCertificate = z.object({
  subject: Text,
  issuer: Text,
  validFrom: z.iso.datetime(),
  validTo: z.iso.datetime(),
  /** SHA-256, as hexadecimal pairs. */
  fingerprint: Text.nullable(),
});

/** One exchange with the target, as far as it went. Secrets are masked. */
export const AttemptExchange = z.object({
  /** What was sent: a request line or a command; null if the target sent first. */
  request: z.object({ line: Text, headers: z.array(HeaderField) }).nullable(),
  /** The status line and headers of protocols that have them. */
  response: z.object({ line: Text, headers: z.array(HeaderField) }).nullable(),
  /** The first 16 KiB; of a check with several steps, up to 48 KiB in all. */
  body: z
    .object({
      text: Text.nullable(),
      /** Why `text` is null: the monitor does not store response bodies, the body is not text, or secrets could not be masked. */
      notStored: z.enum(['setting', 'not_text', 'not_masked']).nullable().default(null),
      bytes: z.int(),
      isTruncated: z.boolean(),
    })
    .nullable(),
  /** The step that it belongs to, from 0; only of a monitor with steps. */
  step: z.int().exactOptional(),
});
export type AttemptExchange = z.infer<typeof AttemptExchange>;

/** A step of a check, as far as it went. */
export const AttemptStep = z.object({
  name: Text,
  statusCode: z.number().nullable(),
  /** Null if the check ended before this step. */
  latencyMs: z.number().nullable(),
  timings: Timings,
  /** Whether it passed; null if the check ended before it. */
  isMet: z.boolean().nullable(),
});
export type AttemptStep = z.infer<typeof AttemptStep>;

/** What one check observed. */
export const CheckAttempt = z.object({
  at: z.iso.datetime(),
  region: Text,
  status: MonitorStatus,
  error: Text.nullable(),
  latencyMs: z.number().nullable(),
  timings: Timings,
  statusCode: z.number().nullable(),
  /** The addresses that the name resolved to. */
  addresses: z.array(Text),
  /** The connections that were attempted; `error` is null for a successful one. */
  connections: z.array(z.object({ address: Text, port: z.int().nullable(), error: Text.nullable() })),
  certificate: SeenCertificate.nullable(),
  exchanges: z.array(AttemptExchange),
  /** Every rule of the monitor with the value that it was applied to. */
  rules: z.array(z.object({ rule: Text, value: Text.nullable(), isMet: z.boolean(), step: z.int().exactOptional() })),
  /** Only of a monitor with steps. */
  steps: z.array(AttemptStep).exactOptional(),
});
export type CheckAttempt = z.infer<typeof CheckAttempt>;

/** The last successful check before an incident; unknown values are empty or null. */
export const LastGoodCheck = CheckAttempt.pick({
  at: true,
  region: true,
  latencyMs: true,
  timings: true,
  statusCode: true,
  addresses: true,
  connections: true,
  certificate: true,
}).extend({ headers: z.array(HeaderField).nullable() });
export type LastGoodCheck = z.infer<typeof LastGoodCheck>;

/** A difference between the last good check and the first failing one; a value is null if it was missing. */
export const EvidenceChange = z.object({
  subject: z.enum(['addresses', 'certificate', 'statusCode', 'latency', 'header']),
  /** The name of the header, or the phase of the latency. */
  name: Text.nullable(),
  before: Text.nullable(),
  after: Text.nullable(),
});
export type EvidenceChange = z.infer<typeof EvidenceChange>;

/** What opened or resolved an incident: the checks that the verdict counted, oldest first. */
export const VerdictEvidence = z.object({
  kind: z.enum(['opened', 'resolved']),
  at: z.iso.datetime(),
  lastGood: LastGoodCheck.nullable(),
  changes: z.array(EvidenceChange),
  attempts: z.array(CheckAttempt),
});
export type VerdictEvidence = z.infer<typeof VerdictEvidence>;

const filters = {
  monitorId: z.string().optional(),
  componentId: z.string().max(64).optional(),
  severity: IncidentSeverity.optional(),
  type: IncidentType.optional(),
  /** `none`: incidents without an assignee. */
  assigneeId: z.string().max(64).optional(),
  /** Selects the dependent incidents of this one. */
  parentIncidentId: z.string().max(64).optional(),
  tag: z.string().trim().toLowerCase().max(50).optional(),
  /** `published`: incidents with a published postmortem. */
  postmortem: z.enum(['published']).optional(),
  q: z.string().trim().max(200).optional(),
  from: Instant.optional(),
  to: Instant.optional(),
};

/**
 * Page and filters of a list of incidents. `from` and `to` select incidents that were open during that time, `q` searches titles, causes, and names
 * of monitors and components. `order=status` lists open ones first, then acknowledged, then resolved; `order=severity` unresolved ones first, from
 * critical to minor, then resolved ones likewise.
 */
export const ListIncidentsInput = Page.extend({
  status: z.enum(['open', 'acknowledged', 'resolved', 'unresolved']).optional(),
  order: z.enum(incidentOrders).default('newest'),
  ...filters,
});
export type ListIncidentsInput = z.infer<typeof ListIncidentsInput>;

/** The content of the page of an acknowledge link. */
export const Acknowledgment = z.strictObject({
  teamName: z.string(),
  /** The incidents of the message, open ones first. */
  incidents: z.array(
    z.strictObject({
      title: z.string(),
      monitorNames: z.array(z.string()),
      status: IncidentStatus,
      startedAt: z.iso.datetime(),
      /** Who acknowledged the incident; null while it is open, or if it was resolved without an acknowledgment. */
      acknowledgedBy: z.string().nullable(),
      /** Whether it was reopened after the message, so that the link does not acknowledge it. */
      isReopened: z.boolean(),
    }),
  ),
});
export type Acknowledgment = z.infer<typeof Acknowledgment>;

/** The filters of the list, without the status. */
export const CountIncidentsInput = z.strictObject(filters);
export type CountIncidentsInput = z.infer<typeof CountIncidentsInput>;

/** How many of the latest 10,000 incidents of each status match the filters. */
export const IncidentCounts = z.object({ open: z.int(), acknowledged: z.int(), resolved: z.int() });
export type IncidentCounts = z.infer<typeof IncidentCounts>;

const Title = Line.min(1, 'Enter a title.').max(200, 'Use at most 200 characters.');
/** The monitors that an incident concerns, the first one first. */
const MonitorIds = z
  .array(z.string().max(64))
  .max(50, 'Select at most 50 monitors.')
  .refine((ids) => new Set(ids).size === ids.length, 'Name each monitor only once.');
const ComponentIds = z
  .array(z.string().max(64))
  .max(50, 'Select at most 50 components.')
  .refine((ids) => new Set(ids).size === ids.length, 'Name each component only once.');
const Cause = z.string().trim().min(1, 'Enter a cause.').max(4000, 'Use at most 4,000 characters.');

/** A manually created incident; without a monitor and a component it concerns the whole team. */
export const CreateIncidentInput = z.strictObject({
  title: Title,
  cause: Cause.optional(),
  /** Short for `monitorIds` with one ID. */
  monitorId: z.string().max(64).nullable().optional(),
  monitorIds: MonitorIds.optional(),
  /** Components of status pages without a monitor; only with the type `manual`. */
  componentIds: ComponentIds.optional(),
  type: IncidentType.default('manual'),
  severity: IncidentSeverity.default('critical'),
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

/** Identifies a note of an incident. */
export const DeleteUpdateInput = z.strictObject({ id: z.string(), updateId: z.string() });
export type DeleteUpdateInput = z.infer<typeof DeleteUpdateInput>;

/** Whether status pages show a note. */
export const EditUpdateInput = DeleteUpdateInput.extend({ isPublic: z.boolean() });
export type EditUpdateInput = z.infer<typeof EditUpdateInput>;

/** Changes to title or cause; at least one is required. */
export const UpdateIncidentInput = z
  .strictObject({ id: z.string(), title: Title.optional(), cause: Cause.optional() })
  .refine(({ title, cause }) => title !== undefined || cause !== undefined, 'Provide a title, a cause or both.');
export type UpdateIncidentInput = z.infer<typeof UpdateIncidentInput>;

/** Changes to an incident in any status; at least one is required. */
export const EditIncidentInput = z
  .strictObject({
    id: z.string(),
    title: Title.optional(),
    cause: Cause.nullable().optional(),
    severity: IncidentSeverity.optional(),
    assigneeId: z.string().max(64).nullable().optional(),
    monitorIds: MonitorIds.optional(),
    componentIds: ComponentIds.optional(),
  })
  .refine(({ id: _id, ...given }) => Object.values(given).some((value) => value !== undefined), {
    message: 'Provide at least one of title, cause, severity, assigneeId, monitorIds and componentIds.',
  });
export type EditIncidentInput = z.infer<typeof EditIncidentInput>;

/** An action on several incidents. Each one succeeds or fails independently. */
export const BulkIncidentsInput = z.strictObject({ action: z.enum(['acknowledge', 'resolve']), ids: Ids });
export type BulkIncidentsInput = z.infer<typeof BulkIncidentsInput>;

/** A team's postmortem of an incident, in Markdown. Viewers get null instead of a draft. */
export const Postmortem = z.object({
  body: z.string(),
  /** The text as safe HTML; null if it was not rendered, and the body is shown as plain text. */
  html: z.string().nullable(),
  isPublished: z.boolean(),
  /** The author of the last change. */
  authorName: z.string(),
  publishedAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});
export type Postmortem = z.infer<typeof Postmortem>;

const PostmortemBody = z
  .string()
  .max(50_000, 'Use at most 50,000 characters.')
  .refine((text) => text.trim() !== '', 'Enter a text.');

export const PreviewPostmortemInput = z.strictObject({ body: PostmortemBody });
export type PreviewPostmortemInput = z.infer<typeof PreviewPostmortemInput>;

/** A new text of a postmortem, as a draft unless `isPublished`. */
export const PutPostmortemInput = z.strictObject({
  id: z.string(),
  body: PostmortemBody,
  isPublished: z.boolean().default(false),
  ifUpdatedAt: IfUpdatedAt,
});
export type PutPostmortemInput = z.infer<typeof PutPostmortemInput>;

/** An incident as holders of its link see it. Strict: unlisted fields are not returned. */
export const SharedIncident = z.strictObject({
  title: z.string(),
  status: IncidentStatus,
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
  /** Latest first. */
  updates: z.array(
    z.strictObject({
      kind: z.enum(['opened', 'acknowledged', 'resolved', 'note', 'reopened']),
      message: z.string(),
      at: z.iso.datetime(),
    }),
  ),
  /** Markdown; null unless the postmortem is published. */
  postmortem: z.string().nullable(),
  /** The postmortem as safe HTML; null if it was not rendered, and the text is shown as plain text. */
  postmortemHtml: z.string().nullable(),
});
export type SharedIncident = z.infer<typeof SharedIncident>;

/** An incident in the list. */
export const ListedIncident = Incident.extend({
  /** How many incidents have this one as their parent. */
  dependentIncidentCount: z.int(),
});

/** A row of the dashboard's incident list. */
export const IncidentListRow = ListedIncident.extend({
  monitorName: z.string().nullable(),
  assigneeName: z.string().nullable(),
});
export type IncidentListRow = z.infer<typeof IncidentListRow>;

/** The progress of an incident's escalation. Steps and rounds are counted from 1; `step` is 0 before the first. */
export const IncidentEscalation = z.object({
  policyId: z.string(),
  policyName: z.string(),
  status: z.enum(['running', 'stopped', 'finished']),
  step: z.int(),
  steps: z.int(),
  /** The current round of the steps since the escalation started. */
  round: z.int(),
  rounds: z.int(),
  /** When the next step begins; null if the escalation does not run, or after the last step. */
  nextStepAt: z.iso.datetime().nullable(),
});
export type IncidentEscalation = z.infer<typeof IncidentEscalation>;

/** The data of an incident's page. */
export const IncidentDetail = z.object({
  incident: Incident,
  assigneeName: z.string().nullable(),
  /** Whether a link for people outside of the team exists. */
  isShared: z.boolean(),
  /** Whether there is a postmortem: a draft, which viewers do not see, or a published one. */
  postmortem: z.enum(['draft', 'published']).nullable(),
  /** The first monitor. */
  monitor: z
    .object({ name: z.string(), type: MonitorType, status: MonitorStatus, lastError: z.string().nullable() })
    .nullable(),
  monitors: z.array(z.object({ id: z.string(), name: z.string(), status: MonitorStatus })),
  /** Null if no escalation policy matches the incident. */
  escalation: IncidentEscalation.nullable(),
  /** The incidents that have this one as their parent: their counts, and the first 20 by status. */
  dependentIncidents: z.object({ counts: IncidentCounts, incidents: z.array(IncidentListRow) }),
  updates: z.array(IncidentUpdate),
  /** When the first alert was delivered; null if none of the first 1,000 messages was. */
  firstNotifiedAt: z.iso.datetime().nullable(),
  /** The number of notifications older than `messages`, at most `MOST_OLDER_MESSAGES`. */
  olderMessageCount: z.int(),
  /** The latest 200 notifications with their delivery status, oldest first. */
  messages: z.array(
    z.object({
      id: z.string(),
      event: z.string(),
      status: z.enum(['pending', 'delivered', 'failed']),
      hold: DeliveryHold,
      /** For a contact method, the name of its owner. */
      channelName: z.string(),
      channelType: z.string(),
      attempts: z.int(),
      lastAttemptAt: z.iso.datetime().nullable(),
      lastError: z.string().nullable(),
      nextAttemptAt: z.iso.datetime().nullable(),
      isSending: z.boolean(),
      /** The current state of the channel. */
      channelState: ChannelState,
      /** Until when the channel's receiver asked for a pause (Retry-After); null if it did not. */
      channelPausedUntil: z.iso.datetime().nullable(),
    }),
  ),
});
export type IncidentDetail = z.infer<typeof IncidentDetail>;
