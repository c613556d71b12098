import { z } from 'zod';
import { formatLatency } from '@/app/_components/format';
import { CreateMonitorInput, compileExpressions, expressionsOf, MonitorType } from '@/server/monitor-types/schema';
import { fieldsOfType, toInput } from './model';
import type { MonitorField, MonitorFields } from './monitor-fields';
import { formOf } from './types';

/** The shared fields whose names differ from their path in the input. */
const shared: Record<string, MonitorField> = {
  name: 'name',
  tags: 'tags',
  externalId: 'externalId',
  intervalSeconds: 'intervalSeconds',
  channelIds: 'channelIds',
  regions: 'regions',
  severity: 'severity',
  'config.timeoutMs': 'timeout',
  'config.confirm.failures': 'confirm.failures',
  'config.confirm.recoveries': 'confirm.recoveries',
  'config.confirm.degraded': 'confirm.degraded',
  'config.confirm.retryDelayMs': 'confirm.retryDelay',
};

/** The entry for a path or one above it. */
function findDependencies<Value>(entries: Record<string, Value>, path: string): Value | null {
  const key = Object.keys(entries).find((prefix) => path === prefix || path.startsWith(`${prefix}.`));
  return key === undefined ? null : (entries[key] ?? null);
}

/** The field that shows an issue of the schema ("config.url" is "http.url"); null where none does. */
export function fieldOf(type: MonitorType, path: string): MonitorField | null {
  const common = findDependencies(shared, path);
  if (common) return common;
  const [config, name = '', ...rest] = path.split('.');
  if (config !== 'config') return null;
  const { renamed = {}, nested = [] } = formOf(type);
  const other = findDependencies(renamed, [name, ...rest].join('.'));
  if (other) return `${type}.${other}` as MonitorField;
  if (!Object.hasOwn(fieldsOfType(type), name)) return null;
  // Other fields show the issues of all their parts: status ranges are one text, and headers are listed by position.
  return [type, name, ...(nested.includes(name) ? rest : [])].join('.') as MonitorField;
}

/** How many milliseconds the config's unit has, for fields that take a time with its unit; null for all others. */
function unitOf(field: MonitorField): number | null {
  if (field === 'timeout' || field === 'confirm.retryDelay') return 1;
  const [type, name = ''] = field.split('.');
  const known = MonitorType.safeParse(type);
  return (known.success && formOf(known.data).durations?.[name]) || null;
}

interface SchemaIssue {
  code?: string | undefined;
  message: string;
  minimum?: unknown;
  maximum?: unknown;
}

/** The schema's message, or one in plain words in place of the library's own. */
function words(field: MonitorField, { code, message, minimum, maximum }: SchemaIssue): string {
  if (!/^(Too|Invalid)/.test(message)) return message;
  const unitMs = unitOf(field);
  const amount = (value: unknown) => (unitMs === null ? String(value) : formatLatency(Number(value) * unitMs));
  if (code === 'too_small' && Number(minimum) > 1) return `At least ${amount(minimum)}.`;
  if (code === 'too_small') return unitMs === null ? 'Required.' : `At least ${amount(minimum)}.`;
  if (code === 'too_big') return `At most ${amount(maximum)}.`;
  if (unitMs !== null) return 'Enter a time with its unit, such as 800 ms or 10 s.';
  return code === 'invalid_type' ? 'Enter a whole number.' : message;
}

/**
 * The schema of the form: the fields become the input of the API, which `CreateMonitorInput` validates. Issues stand at the
 * fields that show them, or at `root`.
 * @param stored the config of an existing monitor
 */
export function monitorForm(stored?: Record<string, unknown>) {
  return z.custom<MonitorFields>().transform((fields, ctx) => {
    const { type } = fields;
    const input = toInput(fields, stored);
    const addIssue = (field: MonitorField | null, message: string) =>
      ctx.addIssue({ code: 'custom', path: (field ?? 'root').split('.'), message });
    // The schema ignores a header of this name, which no object can hold.
    const hasUnusable = 'headers' in input.config && Object.hasOwn(input.config.headers ?? {}, '__proto__');
    if (hasUnusable) addIssue(fieldOf(type, 'config.headers'), 'A header cannot be named __proto__.');
    for (const { path, message } of compileExpressions(expressionsOf(input.config))) {
      addIssue(fieldOf(type, path), message);
    }
    const { data, error } = CreateMonitorInput.safeParse(input);
    for (const issue of error?.issues ?? []) {
      const field = fieldOf(type, issue.path.join('.'));
      addIssue(field, field ? words(field, issue) : issue.message);
    }
    return data ?? z.NEVER;
  });
}
