import { type FieldPath, get, set } from 'react-hook-form';
import { schemaDefaults } from '@/app/_components/forms/schema-defaults';
import {
  checkFields,
  copyConfig,
  definitionOf,
  definitions,
  type FormField,
  type IncidentSeverity,
  isPassive,
  type Monitor,
  MonitorType,
} from '@/server/monitor-types/schema';
import { fromConfig, toConfig } from './field-kinds';
import type { CurlRequest } from './read-curl';

type ConfigFields = Record<string, unknown>;

/**
 * The values of the form: text as typed, for the fields of every type side by side. `checked` holds the fields that all actively checked types share.
 */
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

/** The fields of a type's config in order, by their path. */
export function configFieldsOf(type: MonitorType): [path: string, field: FormField][] {
  return Object.entries({ ...(!isPassive(type) && checkFields), ...definitionOf(type).form.fields });
}

/** The name of a config field within the form. */
export type ConfigName = `${MonitorType | 'checked'}.${string}`;

export function nameOf(type: MonitorType, path: string): ConfigName {
  return `${Object.hasOwn(checkFields, path) ? 'checked' : type}.${path}`;
}

/** Whether a field is shown, given the values of its type's fields. */
export function isShown({ when }: FormField, own: ConfigFields): boolean {
  return !when || when.is.includes(get(own, when.field));
}

/** The initial values: those of a monitor, or of a new one. */
export function toFields(newType: MonitorType, monitor?: Monitor): MonitorFields {
  const type = monitor?.type ?? newType;
  const fields = {
    type,
    name: monitor?.name ?? '',
    tags: monitor?.tags ?? [],
    externalId: monitor?.externalId ?? '',
    // Limited, because the interval of a cron schedule may be longer than any choice.
    intervalSeconds: String(Math.min(monitor?.intervalSeconds ?? 60, 86_400)),
    allChannels: (monitor?.channelIds ?? null) === null,
    channelIds: monitor?.channelIds ?? [],
    regions: monitor?.regions ?? [],
    severity: monitor?.severity ?? 'critical',
  };
  // The monitor's own type comes last, because types share fields.
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

/** A secret without a field of its own: "header x-api-key", "variable password", "header x-api-key of step 2". */
function missingWords(path: string): string {
  const [, step, own = path] = /^steps\.(\d+)\.(.*)$/.exec(path) ?? [];
  const words = own.replace(/^headers\./, 'header ').replace(/^variables\./, 'variable ');
  return step === undefined ? words : `${words} of step ${Number(step) + 1}`;
}

/** A monitor as the start of a copy, and the labels of the fields whose secrets must be entered again. */
export function copyOf(monitor: Monitor): { monitor: Monitor; missing: string[] } {
  const { config, missing } = copyConfig(monitor.type, monitor.config);
  const labels = new Map(configFieldsOf(monitor.type).map(([path, { label }]) => [path, label.toLowerCase()]));
  return {
    monitor: { ...monitor, name: `${monitor.name} (copy)`.slice(0, 120), externalId: null, config },
    missing: missing.map((path) => labels.get(path) ?? missingWords(path)),
  };
}

/** What a cURL command can say. What it does not say gets its default, so that nothing of a former command stays. */
const OF_CURL = [
  'headers',
  'body',
  'auth.kind',
  'timeoutMs',
  'maxRedirects',
  'followRedirects',
  'verifyTls',
  'ipFamily',
];

/** The fields of the form that a cURL command sets, with their values. The others of its type keep theirs. */
export function curlFields({ config }: CurlRequest): [name: MonitorField, value: MonitorFields[keyof MonitorFields]][] {
  const defaults = schemaDefaults(definitions.http.schema);
  const set = configFieldsOf('http').filter(([path]) => get(config, path) !== undefined || OF_CURL.includes(path));
  const fields = set.map(([path, field]) => {
    return [nameOf('http', path), fromConfig(field, get(config, path) ?? get(defaults, path))];
  });
  return [['type', 'http'], ...(fields as [MonitorField, MonitorFields[keyof MonitorFields]][])];
}

/** The config of the chosen type. Settings without a field keep their stored value. */
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
 * Converts the fields to the input of the API, without validation.
 * @param stored the config of an existing monitor
 */
export function toInput(fields: MonitorFields, stored: ConfigFields = {}) {
  const { type, name, tags, externalId, intervalSeconds, allChannels, channelIds, regions, severity } = fields;
  const isPinged = isPassive(type);
  const config = configOf(fields, stored);
  // A cron expression replaces the interval.
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
