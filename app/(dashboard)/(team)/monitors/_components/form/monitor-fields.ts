import { type FieldPath, get, set } from 'react-hook-form';
import { schemaDefaults } from '@/app/_components/forms/schema-defaults';
import {
  checkFields,
  definitionOf,
  definitions,
  type FormField,
  type IncidentSeverity,
  isPassive,
  type Monitor,
  MonitorType,
} from '@/server/monitor-types/schema';
import { fromConfig, toConfig } from './field-kinds';

type ConfigFields = Record<string, unknown>;

/** What the form's fields hold: text as typed, and the fields of every type side by side; `checked` are those of all checked types. */
export interface MonitorFields extends Record<MonitorType | 'checked', ConfigFields> {
  type: MonitorType;
  name: string;
  tags: string[];
  externalId: string;
  intervalSeconds: string;
  allChannels: boolean;
  channelIds: string[];
  regions: string[];
  severity: IncidentSeverity;
}

export type MonitorField = FieldPath<MonitorFields>;

/** The fields for a type's config in their order, by their path in it. */
export function configFieldsOf(type: MonitorType): [path: string, field: FormField][] {
  return Object.entries({ ...(!isPassive(type) && checkFields), ...definitionOf(type).form.fields });
}

/** The name of a config field in the form. */
export type ConfigName = `${MonitorType | 'checked'}.${string}`;

export function nameOf(type: MonitorType, path: string): ConfigName {
  return `${Object.hasOwn(checkFields, path) ? 'checked' : type}.${path}`;
}

/** Whether a field is shown, by the fields of its type. */
export function isShown({ when }: FormField, own: ConfigFields): boolean {
  return !when || when.is.includes(get(own, when.field));
}

/** The fields of a new monitor, or of an existing one. */
export function toFields(newType: MonitorType, monitor?: Monitor): MonitorFields {
  const type = monitor?.type ?? newType;
  const fields = {
    type,
    name: monitor?.name ?? '',
    tags: monitor?.tags ?? [],
    externalId: monitor?.externalId ?? '',
    // The interval of a cron schedule may be longer than any choice.
    intervalSeconds: String(Math.min(monitor?.intervalSeconds ?? 60, 86_400)),
    allChannels: (monitor?.channelIds ?? null) === null,
    channelIds: monitor?.channelIds ?? [],
    regions: monitor?.regions ?? [],
    severity: monitor?.severity ?? 'critical',
  };
  // The monitor's own type comes last, because the types share fields.
  for (const each of [...MonitorType.options, type]) {
    const stored = monitor?.type === each ? monitor.config : {};
    const defaults = schemaDefaults(definitions[each].schema);
    for (const [path, field] of configFieldsOf(each)) {
      const value: unknown = get(stored, path) ?? field.initial?.(stored) ?? get(defaults, path);
      set(fields, nameOf(each, path), fromConfig(field, value));
    }
  }
  return fields as MonitorFields;
}

/** The config of the chosen type; what has no field keeps its stored value. */
function configOf(fields: MonitorFields, stored: ConfigFields): ConfigFields {
  const { schema } = definitions[fields.type];
  const own = configFieldsOf(fields.type).map(([path, field]) => ({ path, field, top: path.split('.')[0] ?? '' }));
  const kept = Object.entries(stored).filter(([name]) => !own.some(({ top }) => top === name));
  const config = Object.fromEntries(kept);
  const defaults = schemaDefaults(schema);
  for (const { path, field, top } of own) {
    if (!(top in schema.shape) || !(isShown(field, fields[fields.type]) || field.when?.keeps)) continue;
    const value: unknown = toConfig(field, get(fields, nameOf(fields.type, path))) ?? get(defaults, path);
    if (value !== undefined) set(config, path, value);
  }
  return config;
}

/**
 * What the fields ask for, not yet validated: it goes through `CreateMonitorInput`.
 * @param stored the config of an existing monitor
 */
export function toInput(fields: MonitorFields, stored: ConfigFields = {}) {
  const { type, name, tags, externalId, intervalSeconds, allChannels, channelIds, regions, severity } = fields;
  const isPinged = isPassive(type);
  const config = configOf(fields, stored);
  // A cron expression takes the interval's place.
  const hasInterval = !isPinged || config.cron === undefined;
  const chosen = { channelIds: allChannels ? null : channelIds, externalId: externalId === '' ? null : externalId };
  return {
    type,
    name,
    tags,
    ...(hasInterval && { intervalSeconds: Number(intervalSeconds) }),
    severity,
    ...chosen,
    ...(!isPinged && { regions }),
    config,
  };
}
