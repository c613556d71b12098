import { get } from 'react-hook-form';
import { formatLatency } from '@/app/_components/format';
import { type InputIssue, inputForm } from '@/app/_components/forms/input-form';
import {
  CreateMonitorInput,
  compileExpressions,
  expressionsOf,
  type FormField,
  type MonitorType,
} from '@/server/monitor-types/schema';
import { nameFaults } from './field-kinds';
import { configFieldsOf, type MonitorField, type MonitorFields, nameOf, toInput } from './monitor-fields';

const shared = ['name', 'tags', 'externalId', 'intervalSeconds', 'channelIds', 'regions', 'severity'] as const;

const isUnder = (path: string, parent: string) => path === parent || path.startsWith(`${parent}.`);

function findField(type: MonitorType, path: string): [path: string, field: FormField] | undefined {
  return configFieldsOf(type).find(([each]) => isUnder(path, `config.${each}`));
}

/** The field that shows an issue of the schema ("config.url" is shown at "http.url"); null if no field does. */
export function fieldOf(type: MonitorType, path: string): MonitorField | null {
  const common = shared.find((each) => isUnder(path, each));
  if (common) return common;
  const [each, field] = findField(type, path) ?? [];
  if (!each) return null;
  const own = path.slice('config.'.length);
  // Status ranges are one text, and headers are named by position.
  if (field?.kind === 'steps') return nameOf(type, own.replace(/\.(headers|expectedStatus)\..*$/, '.$1'));
  // Other fields show the issues of all their parts.
  return nameOf(type, field?.kind === 'assertions' ? own : each);
}

/** Whether a field is in the section that is initially collapsed. */
export function isAdvanced(type: MonitorType, name: string): boolean {
  if (name === 'externalId') return true;
  const [, field] = configFieldsOf(type).find(([path]) => isUnder(name, nameOf(type, path))) ?? [];
  return field?.group === 'advanced' || field?.group === 'confirmation';
}

/** The names of the fields in a tree of errors, which starts at `path`. */
export function errorPaths(errors: object, path = ''): string[] {
  return Object.entries(errors).flatMap(([key, value]) => {
    const here = path ? `${path}.${key}` : key;
    if (typeof value !== 'object' || value === null) return [];
    return 'message' in value ? [here] : errorPaths(value, here);
  });
}

/** The schema's message, or a plain one in place of the library's default. */
function words({ code, message, minimum, maximum }: InputIssue, path: string, { type }: MonitorFields): string {
  if (!/^(Too|Invalid)/.test(message)) return message;
  const { kind, unitMs = 1 } = findField(type, path)?.[1] ?? {};
  const isTime = kind === 'duration';
  const amount = (value: unknown) => (isTime ? formatLatency(Number(value) * unitMs) : String(value));
  if (code === 'too_small' && Number(minimum) > 1) return `At least ${amount(minimum)}.`;
  if (code === 'too_small') return isTime ? `At least ${amount(minimum)}.` : 'Required.';
  if (code === 'too_big') return `At most ${amount(maximum)}.`;
  if (isTime) return 'Enter a time with its unit, such as 800 ms or 10 s.';
  return code === 'invalid_type' ? 'Enter a whole number.' : message;
}

/**
 * The schema of the form.
 * @param stored the config of an existing monitor
 */
export function monitorForm(stored?: Record<string, unknown>) {
  return inputForm({
    schema: CreateMonitorInput,
    toInput: (fields: MonitorFields) => toInput(fields, stored),
    fieldOf: (path, { type }) => fieldOf(type, path),
    words,
    faults(fields) {
      const { config } = toInput(fields, stored);
      // The schema sees objects, which cannot hold all names that were typed.
      const lost = configFieldsOf(fields.type).flatMap(([each, field]) =>
        nameFaults(field, get(fields, nameOf(fields.type, each))).map(({ path, message }) => {
          return { path: `config.${each}${path}`, message };
        }),
      );
      return [...lost, ...compileExpressions(expressionsOf(config))];
    },
  });
}
