import { z } from 'zod';
import { ExternalId } from '@/server/external-ids/schema';
import { IdPage } from '@/server/lists/schema';
import { MonitorStatus, MonitorType } from '@/server/monitor-lists/schema';
import { readOnly } from '@/server/text/read-only';
import { IfUpdatedAt, Line, StrictLine } from '@/server/text/schema';
import { slugPattern } from './slug';

export { componentNames } from './components/component-names';
export { pageOrder } from './page-order';

/** Slugs reserved for future paths under `/status/`. */
const reservedSlugs = new Set([
  'admin',
  'api',
  'assets',
  'auth',
  'badge',
  'dashboard',
  'edit',
  'feed',
  'feeds',
  'login',
  'new',
  'public',
  'search',
  'settings',
  'signup',
  'static',
  'status',
  'upwatch',
  'www',
]);

/** The last segment of a page's URL. A valid host name label (RFC 1123), so that it can become a subdomain. */
export const Slug = z
  .string()
  .min(3, 'Use at least 3 characters.')
  .max(63, 'Use at most 63 characters.')
  .regex(slugPattern, 'Use lowercase letters, numbers and hyphens. Start and end with a letter or number.')
  .refine((slug) => !reservedSlugs.has(slug), 'This word is reserved.');

/** The maximum number of monitors on a page. */
export const MAX_PAGE_MONITORS = 500;
/** The maximum number of components without a monitor on a page, in any plan. */
export const MAX_PAGE_COMPONENTS = 500;

const Title = Line.min(1, 'Enter a title.').max(120, 'Use at most 120 characters.');
const Description = z.string().trim().max(2000, 'Use at most 2,000 characters.');
const MonitorIds = z
  .array(z.string().max(64))
  .max(MAX_PAGE_MONITORS, `Select at most ${MAX_PAGE_MONITORS} monitors.`)
  .refine((ids) => new Set(ids).size === ids.length, 'A monitor can be on a page only once.');

/** The display name of a monitor on a page. */
export const DisplayName = Line.min(1, 'Enter a name.').max(120, 'Use at most 120 characters.');
/** Display names by monitor ID. */
const DisplayNames = z.record(z.string().max(64), DisplayName);

/** A new status page; its monitors are shown in the order given. */
export const CreateStatusPageInput = z.strictObject({
  slug: Slug,
  title: Title,
  description: Description.optional(),
  isPublic: z.boolean().optional(),
  monitorIds: MonitorIds.optional(),
  displayNames: DisplayNames.optional(),
  externalId: ExternalId.nullable().optional(),
});
export type CreateStatusPageInput = z.infer<typeof CreateStatusPageInput>;

/** The IDs of monitors and components in the order of the page. */
const Order = z
  .array(z.string().max(64))
  .max(MAX_PAGE_MONITORS + MAX_PAGE_COMPONENTS)
  .refine((ids) => new Set(ids).size === ids.length, 'Name each monitor and component only once.');

/** The fields of a page's editor, including the order of its items. */
export const StatusPageFields = CreateStatusPageInput.extend({ order: Order.optional() });
export type StatusPageFields = z.infer<typeof StatusPageFields>;

/** The largest logo, in bytes. */
export const MAX_LOGO_BYTES = 512 * 1024;
/** The maximum width and height of a logo in pixels, because a small file can decompress to an image that blocks a browser. */
export const MAX_LOGO_SIDE = 4096;

/** A logo: a PNG, JPEG or WebP image of at most 512 KiB and 4096 pixels a side, in Base64 (RFC 4648 §4). */
export const SetLogoInput = z.strictObject({
  id: z.string(),
  data: z
    .base64('Send the image as Base64.')
    .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4, 'Use an image of at most 512 KiB.'),
});
export type SetLogoInput = z.infer<typeof SetLogoInput>;

const ComponentName = StrictLine.min(1, 'Enter a name.').max(120, 'Use at most 120 characters.');
const ComponentDescription = StrictLine.max(300, 'Use at most 300 characters.');

/** A new component without a monitor, at the end of its page. */
export const CreateComponentInput = z.strictObject({
  statusPageId: z.string().max(64),
  name: ComponentName,
  description: ComponentDescription.optional(),
});
export type CreateComponentInput = z.infer<typeof CreateComponentInput>;

/** Changes to a component; at least one is required. */
export const UpdateComponentInput = z
  .strictObject({
    id: z.string(),
    name: ComponentName.optional(),
    description: ComponentDescription.optional(),
    ifUpdatedAt: IfUpdatedAt,
  })
  .refine(({ name, description }) => name !== undefined || description !== undefined, {
    message: 'Provide a name, a description or both.',
  });
export type UpdateComponentInput = z.infer<typeof UpdateComponentInput>;

/** One page of the list of components, newest first. `q` searches their names. */
export const ListComponentsInput = IdPage.extend({
  statusPageId: z.string().max(64).optional(),
  q: z.string().trim().max(200).optional(),
});
export type ListComponentsInput = z.infer<typeof ListComponentsInput>;

/** A component without a monitor. The open incidents that name it determine its status. */
export const StatusPageComponent = z.object({
  id: z.string(),
  statusPageId: z.string(),
  statusPageTitle: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(['up', 'degraded', 'down']),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type StatusPageComponent = z.infer<typeof StatusPageComponent>;

/** A status page in REST responses. `url` is its public URL, which returns 404 for a private page. */
export const StatusPage = z.object({
  id: z.string(),
  teamId: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  isPublic: z.boolean(),
  monitorIds: z.array(z.string()),
  displayNames: z.record(z.string(), z.string()),
  /** The components without a monitor. */
  components: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
  /** The IDs of its monitors and components in the order that customers see. */
  order: z.array(z.string()),
  externalId: z.string().nullable(),
  logoUrl: z.string().nullable(),
  url: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type StatusPage = z.infer<typeof StatusPage>;

/**
 * Changes to a status page, or a whole one sent back. `monitorIds` and `displayNames` replace the previous values. Items missing in `order` keep
 * their order and follow those given.
 */
export const UpdateStatusPageInput = StatusPageFields.partial().extend({
  id: z.string(),
  ...readOnly(
    StatusPage.pick({
      teamId: true,
      components: true,
      logoUrl: true,
      url: true,
      createdAt: true,
      updatedAt: true,
    }),
  ),
  ifUpdatedAt: IfUpdatedAt,
});
export type UpdateStatusPageInput = z.infer<typeof UpdateStatusPageInput>;

/** The additional data of the editor: items with their status, and the logo, also for a private page. */
export const StatusPageEditor = z.object({
  statusPage: StatusPage,
  monitors: z.array(
    z.object({ id: z.string(), name: z.string(), status: MonitorStatus, type: MonitorType, target: z.string() }),
  ),
  components: z.array(StatusPageComponent),
  /** A `data:` URL. */
  logo: z.string().nullable(),
});
export type StatusPageEditor = z.infer<typeof StatusPageEditor>;

/** The input of the availability check. `id` is the page that may already use the slug. */
export const SlugQuery = z.strictObject({ slug: Slug, id: z.string().optional() });
export type SlugQuery = z.infer<typeof SlugQuery>;

/** The number of days in a component's bar; the last one is today (UTC). */
export const BAR_DAYS = 90;

/** The overall status. `unknown` if there is no data or no monitor. */
export const Overall = z.enum(['operational', 'maintenance', 'degraded', 'down', 'unknown']);
export type Overall = z.infer<typeof Overall>;

/** A day on which a component was not fully up, with the seconds in each status. */
export const PublicDay = z.strictObject({
  /** In UTC, such as "2026-11-20". */
  day: z.iso.date(),
  down: z.number(),
  degraded: z.number(),
  unknown: z.number(),
  maintenance: z.number(),
  /** The uptime of the day; null without data. */
  uptime: z.number().nullable(),
});
export type PublicDay = z.infer<typeof PublicDay>;

/** The public form of a monitor or component: name and status, without target or check results. */
export const Component = z.strictObject({
  /** Derived from page and monitor or component. Stable, and reveals neither ID. */
  id: z.string(),
  name: z.string(),
  /** Empty for a monitor. */
  description: z.string(),
  status: MonitorStatus,
  since: z.iso.datetime(),
  /** The uptime of the last 90 days; null without data. */
  uptime: z.number().nullable(),
  /** The worst status of each day, today last; null without data. */
  days: z.array(MonitorStatus.nullable()).length(BAR_DAYS),
  /** The days that are not fully up, oldest first. */
  notableDays: z.array(PublicDay),
});
export type Component = z.infer<typeof Component>;

/** An update of an incident with a public text. */
export const PublicUpdate = z.strictObject({
  id: z.string(),
  kind: z.enum(['opened', 'acknowledged', 'resolved', 'note', 'reopened']),
  message: z.string(),
  at: z.iso.datetime(),
});
export type PublicUpdate = z.infer<typeof PublicUpdate>;

/** The public form of an incident, without its cause and the people involved. */
export const PublicIncident = z.strictObject({
  id: z.string(),
  title: z.string(),
  status: z.enum(['open', 'acknowledged', 'resolved']),
  impact: z.enum(['degraded', 'down']),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
  /** The names of the affected components. */
  component: z.string(),
  componentIds: z.array(z.string()),
  /** Latest first. */
  updates: z.array(PublicUpdate),
});
export type PublicIncident = z.infer<typeof PublicIncident>;

export const PublicMaintenance = z.strictObject({
  id: z.string(),
  title: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** The revision number, which every change raises. */
  sequence: z.int(),
  componentIds: z.array(z.string()),
});
export type PublicMaintenance = z.infer<typeof PublicMaintenance>;

/** The public form of a page. Strict, so that no other field is published by accident. */
export const PublicStatusPage = z.strictObject({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  url: z.string(),
  logoUrl: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  overall: Overall,
  headline: z.string(),
  /** The time of the latest check; null before the first. */
  checkedAt: z.iso.datetime().nullable(),
  components: z.array(Component),
  /** Not resolved, most severe first. */
  openIncidents: z.array(PublicIncident),
  /** Resolved, of the last 90 days, latest first. */
  pastIncidents: z.array(PublicIncident),
  /** Active and upcoming, soonest first. */
  maintenances: z.array(PublicMaintenance),
  /** Completed in the last 90 days, latest first. */
  pastMaintenances: z.array(PublicMaintenance),
  /** The current day (UTC), the last one of every bar. */
  today: z.iso.date(),
  /** Changes with everything the page shows except `checkedAt`, growing durations and uptimes. */
  version: z.string(),
});
export type PublicStatusPage = z.infer<typeof PublicStatusPage>;
