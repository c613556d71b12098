import { z } from 'zod';
import { ExternalId } from '@/server/external-ids/schema';
import { Ids, MOST_AT_ONCE } from '@/server/lists/schema';
import { IncidentSeverity } from '@/server/monitor-lists/schema';
import { IfUpdatedAt, Line, StrictLine } from '@/server/text/schema';
import { definitions, type MonitorType, monitorTypes } from './definitions';

const Name = StrictLine.min(1, 'Enter a name.').max(120, 'Use at most 120 characters.');
const IntervalSeconds = z.int().min(1, 'Enter at least 1 second.').max(86_400, 'Enter at most 86,400 seconds (1 day).');
const Tag = Line.min(1)
  .max(50)
  .refine((tag) => !/\p{Lu}/u.test(tag), 'Use lowercase for tags.')
  .meta({ description: 'Lowercase.' });
export const MOST_TAGS_EACH = 20;
const Tags = z.array(Tag).max(MOST_TAGS_EACH, `Use at most ${MOST_TAGS_EACH} tags.`);
const ChannelIds = z.array(z.string().max(64)).max(100).nullable();
/** A worker's REGION, or a private region of the team. */
export const Region = z
  .string()
  .regex(
    /^(private\/)?[a-z0-9][a-z0-9-]{0,31}$/,
    'A region has up to 32 lowercase letters, digits and hyphens; a private one also private/ before them.',
  );
const Regions = z
  .array(Region)
  .max(10, 'Use at most 10 regions.')
  .refine((names) => new Set(names).size === names.length, 'Name each region only once.');

/** `isActive` as scripts send it: a boolean, or the 0 or 1 of a response. */
const IsActive = z.union([z.boolean(), z.literal([0, 1])], 'Send true, false, 1 or 0.').transform(Boolean);

const fields = {
  name: Name,
  intervalSeconds: IntervalSeconds.optional(),
  isActive: IsActive.optional(),
  tags: Tags.optional(),
  channelIds: ChannelIds.optional(),
  regions: Regions.optional(),
  severity: IncidentSeverity.optional(),
};

type Definitions = typeof definitions;
type OfType<T extends MonitorType, Fields extends z.ZodRawShape> = T extends MonitorType
  ? z.ZodObject<{ type: z.ZodLiteral<T>; config: Definitions[T]['schema'] } & Fields, z.core.$strict>
  : never;

/** Returns the schema of a monitor of any type, with the config of that type and the fields in `more`. */
function ofAnyType<Fields extends z.ZodRawShape>(more: Fields) {
  const options = monitorTypes.map((type) =>
    z.strictObject({ type: z.literal(type), config: definitions[type].schema, ...more }),
  );
  // TypeScript does not preserve the pairing of type and config through the map.
  return z.discriminatedUnion('type', options as unknown as [OfType<MonitorType, Fields>]);
}

/** A new monitor. */
export const CreateMonitorInput = ofAnyType({ ...fields, externalId: ExternalId.nullable().optional() });
export type CreateMonitorInput = z.infer<typeof CreateMonitorInput>;

/** A check with settings that are not saved. With the `id` of a monitor, its stored secrets replace their masks. */
export const TestMonitorInput = ofAnyType({ id: z.string().max(64).optional() });
export type TestMonitorInput = z.infer<typeof TestMonitorInput>;

/** The read-only fields of a response, which scripts may send back unchanged. */
const readOnly = {
  teamId: z.string().optional(),
  status: z.string().optional(),
  lastCheckedAt: z.iso.datetime().nullable().optional(),
  createdAt: z.iso.datetime().optional(),
  updatedAt: z.iso.datetime().optional(),
};

/** The desired state of the monitor with this external ID. */
export const PutMonitorInput = ofAnyType({ ...fields, externalId: ExternalId, id: z.string().optional(), ...readOnly });
export type PutMonitorInput = z.infer<typeof PutMonitorInput>;

/** The desired states of up to 100 monitors. Each one succeeds or fails independently. */
export const PutMonitorsInput = z.strictObject({
  monitors: z
    .array(PutMonitorInput)
    .min(1, 'Send at least one monitor.')
    .max(MOST_AT_ONCE, `Send at most ${MOST_AT_ONCE} monitors.`)
    .refine((all) => new Set(all.map(({ externalId }) => externalId)).size === all.length, 'Name each only once.'),
});
export type PutMonitorsInput = z.infer<typeof PutMonitorsInput>;

const updateFields = {
  name: Name.optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  intervalSeconds: IntervalSeconds.optional(),
  tags: Tags.optional(),
  channelIds: ChannelIds.optional(),
  regions: Regions.optional(),
  severity: IncidentSeverity.optional(),
  externalId: ExternalId.nullable().optional(),
};

const settable = [...Object.keys(updateFields), 'isActive'];
const isChange = (given: Record<string, unknown>) => settable.some((name) => given[name] !== undefined);
const NO_CHANGE = `Provide at least one of ${settable.join(', ')}.`;

/** At least one change of a monitor. `config` replaces the whole config and is validated by the monitor's type. */
export const UpdateMonitorInput = z
  .strictObject({ id: z.string(), ...updateFields, isActive: z.boolean().optional(), ifUpdatedAt: IfUpdatedAt })
  .refine(isChange, NO_CHANGE);

/** An update from a script, which may send back a whole monitor. */
export const UpdateMonitorByScriptInput = z
  .strictObject({
    id: z.string(),
    ...updateFields,
    isActive: IsActive.optional(),
    type: z.string().optional(),
    ...readOnly,
    ifUpdatedAt: IfUpdatedAt,
  })
  .refine(isChange, NO_CHANGE);
export type UpdateMonitorInput = z.infer<typeof UpdateMonitorByScriptInput>;

/** An action on several monitors. Each one succeeds or fails independently. */
export const BulkMonitorsInput = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['pause', 'resume', 'check', 'delete', 'restore']), ids: Ids }),
  z.strictObject({ action: z.enum(['addTag', 'removeTag']), ids: Ids, tag: Tag }),
  z.strictObject({ action: z.literal('setChannels'), ids: Ids, channelIds: ChannelIds }),
]);
export type BulkMonitorsInput = z.infer<typeof BulkMonitorsInput>;
