import { z } from 'zod';
import { MonitorStatus, MonitorType } from '@/server/monitors/schema';
import { IfUpdatedAt } from '@/server/text/schema';
import { slugPattern } from './slug';

export { componentNames } from './component-names';

/** Words that an address under `/status/` may want for itself one day. */
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

/** The last part of a page's address: one label of a host name (RFC 1123), so that it may become one. */
export const Slug = z
  .string()
  .min(3, 'Use at least 3 characters.')
  .max(63, 'Use at most 63 characters.')
  .regex(slugPattern, 'Use lowercase letters, numbers and hyphens. Start and end with a letter or number.')
  .refine((slug) => !reservedSlugs.has(slug), 'This word is reserved.');

/** How many monitors one page may show. */
export const MAX_PAGE_MONITORS = 500;

const Title = z.string().trim().min(1, 'Enter a title.').max(120, 'Use at most 120 characters.');
const Description = z.string().trim().max(2000, 'Use at most 2,000 characters.');
const MonitorIds = z
  .array(z.string().max(64))
  .max(MAX_PAGE_MONITORS, `Select at most ${MAX_PAGE_MONITORS} monitors.`)
  .refine((ids) => new Set(ids).size === ids.length, 'A monitor can be on a page only once.');

/** What customers call a monitor on a page. */
export const DisplayName = z.string().trim().min(1, 'Enter a name.').max(120, 'Use at most 120 characters.');
/** Display names by the id of the monitor. */
const DisplayNames = z.record(z.string().max(64), DisplayName);

/** A new status page; its monitors are shown in the order given. */
export const CreateStatusPageInput = z.strictObject({
  slug: Slug,
  title: Title,
  description: Description.optional(),
  isPublic: z.boolean().optional(),
  monitorIds: MonitorIds.optional(),
  displayNames: DisplayNames.optional(),
});
export type CreateStatusPageInput = z.infer<typeof CreateStatusPageInput>;

const changes = CreateStatusPageInput.partial();

/** Changes to a status page, at least one. `monitorIds` and `displayNames` replace what was there. */
export const UpdateStatusPageInput = changes
  .extend({ id: z.string(), ifUpdatedAt: IfUpdatedAt })
  .refine(({ id: _id, ifUpdatedAt: _version, ...given }) => Object.values(given).some((value) => value !== undefined), {
    message: `Provide at least one of ${Object.keys(changes.shape).join(', ')}.`,
  });
export type UpdateStatusPageInput = z.infer<typeof UpdateStatusPageInput>;

/** The largest logo, in bytes. */
export const MAX_LOGO_BYTES = 512 * 1024;
/** The widest and highest logo, in pixels: a small file may unfold to a size that stops a customer's browser. */
export const MAX_LOGO_SIDE = 4096;

/** A logo: a PNG, JPEG or WebP image of at most 512 KiB and 4096 pixels a side, in Base64 (RFC 4648 §4). */
export const SetLogoInput = z.strictObject({
  id: z.string(),
  data: z
    .base64('Send the image as Base64.')
    .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4, 'Use an image of at most 512 KiB.'),
});
export type SetLogoInput = z.infer<typeof SetLogoInput>;

/** A status page as REST returns it. `url` is where customers see it; a private one answers 404 there. */
export const StatusPage = z.object({
  id: z.string(),
  teamId: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  isPublic: z.boolean(),
  monitorIds: z.array(z.string()),
  displayNames: z.record(z.string(), z.string()),
  logoUrl: z.string().nullable(),
  url: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type StatusPage = z.infer<typeof StatusPage>;

/** What the editor shows beside the page itself: its monitors by name, and the logo even while the page is private. */
export const StatusPageEditor = z.object({
  statusPage: StatusPage,
  monitors: z.array(
    z.object({ id: z.string(), name: z.string(), status: MonitorStatus, type: MonitorType, target: z.string() }),
  ),
  /** A `data:` URL. */
  logo: z.string().nullable(),
});
export type StatusPageEditor = z.infer<typeof StatusPageEditor>;

/** What the slug field is told while somebody types; `id` is the page that may keep its own. */
export const SlugQuery = z.strictObject({ slug: Slug, id: z.string().optional() });
export type SlugQuery = z.infer<typeof SlugQuery>;

/** How many days a component's bar tells of; the last one is today, in UTC. */
export const BAR_DAYS = 90;

/** The page in one word. `unknown` where nothing can be told, or nothing is watched yet. */
export const Overall = z.enum(['operational', 'maintenance', 'degraded', 'down', 'unknown']);
export type Overall = z.infer<typeof Overall>;

/** A day on which a component was not up throughout, with the seconds it spent in each of these states. */
export const PublicDay = z.strictObject({
  /** In UTC, such as "2026-11-20". */
  day: z.iso.date(),
  down: z.number(),
  degraded: z.number(),
  unknown: z.number(),
  maintenance: z.number(),
  /** Of that day; null where nothing is known. */
  uptime: z.number().nullable(),
});
export type PublicDay = z.infer<typeof PublicDay>;

/** A monitor as customers see it: what it is called and how it is. Nothing of where it is or what a check saw. */
export const Component = z.strictObject({
  /** Made from the page and the monitor; stable, and tells of neither. */
  id: z.string(),
  name: z.string(),
  status: MonitorStatus,
  since: z.iso.datetime(),
  /** Of the last 90 days; null where nothing is known. */
  uptime: z.number().nullable(),
  /** The worst status of each day, today last; null where nothing is known. */
  days: z.array(MonitorStatus.nullable()).length(BAR_DAYS),
  /** Those of these days that have something to tell, oldest first. */
  notableDays: z.array(PublicDay),
});
export type Component = z.infer<typeof Component>;

/** One line of an incident's story, in words that were meant for customers. */
export const PublicUpdate = z.strictObject({
  id: z.string(),
  kind: z.enum(['opened', 'acknowledged', 'resolved', 'note']),
  message: z.string(),
  at: z.iso.datetime(),
});
export type PublicUpdate = z.infer<typeof PublicUpdate>;

/** An incident as customers see it. What the checks saw (its cause) and who works on it stay inside. */
export const PublicIncident = z.strictObject({
  id: z.string(),
  title: z.string(),
  status: z.enum(['open', 'acknowledged', 'resolved']),
  impact: z.enum(['degraded', 'down']),
  startedAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
  /** Names the component it concerns. */
  component: z.string(),
  componentId: z.string(),
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
  componentIds: z.array(z.string()),
});
export type PublicMaintenance = z.infer<typeof PublicMaintenance>;

/** All that a stranger is told of a page. Strict: a field that is not named here does not leave. */
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
  /** When the latest of its checks was made; null before the first. */
  checkedAt: z.iso.datetime().nullable(),
  components: z.array(Component),
  /** Not resolved, latest first. */
  openIncidents: z.array(PublicIncident),
  /** Resolved, of the last 90 days, latest first. */
  pastIncidents: z.array(PublicIncident),
  /** Under way or to come, soonest first. */
  maintenances: z.array(PublicMaintenance),
  /** Over, in the last 90 days, latest first. */
  pastMaintenances: z.array(PublicMaintenance),
  /** The present day in UTC, the last of every bar. */
  today: z.iso.date(),
  /** Changes with anything the page shows except `checkedAt`, and times and uptime that grow while nothing happens. */
  version: z.string(),
});
export type PublicStatusPage = z.infer<typeof PublicStatusPage>;
