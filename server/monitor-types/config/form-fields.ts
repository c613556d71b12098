import type { FormField } from '../form-field';
import { CONFIRM_DEFAULTS } from './confirm';

/** Returns the choices of a select from 1 to 10, after one for the default, which sets nothing. */
export function upToTen(one: string, more: string, preset: number) {
  const numbers = Array.from({ length: 10 }, (_, index) => ({
    value: index + 1,
    label: index === 0 ? `1 ${one}` : `${index + 1} ${more}`,
  }));
  return [{ value: undefined, label: `Default: ${preset} ${more}` }, ...numbers];
}

/** The fields of all types that are checked over the network. */
export const checkFields: Record<string, FormField> = {
  interval: { label: 'Check interval', kind: 'interval', group: 'timing', width: 'half' },
  timeoutMs: {
    label: 'Timeout',
    kind: 'duration',
    group: 'timing',
    width: 'half',
    help: 'At most 60 s.',
  },
  'confirm.failures': {
    label: 'Down after',
    kind: 'select',
    group: 'threshold',
    width: 'half',
    options: upToTen('failing check', 'failing checks', CONFIRM_DEFAULTS.failures),
    help: 'By default, a monitor that often fails for a few seconds is confirmed for twice as long. A number that you choose is not changed.',
  },
  'confirm.recoveries': {
    label: 'Recovery threshold',
    kind: 'select',
    group: 'confirmation',
    width: 'half',
    options: upToTen('success', 'successes in a row', CONFIRM_DEFAULTS.recoveries),
  },
  'confirm.retryDelayMs': {
    label: 'Retry delay',
    kind: 'duration',
    group: 'confirmation',
    width: 'half',
    placeholder: `Default: ${CONFIRM_DEFAULTS.retryDelayMs / 1000} s`,
    help: 'Time between the rechecks that confirm a change.',
  },
};

/** Returns the target fields of types that connect to a host and a port, with examples. */
export function hostAndPort(host: string, port: string) {
  return {
    host: { label: 'Host', kind: 'text', group: 'target', placeholder: host },
    port: { label: 'Port', kind: 'number', group: 'target', width: 'narrow', mono: true, placeholder: port },
  } satisfies Record<string, FormField>;
}

/** Returns "db.northwind.example:5432"; only the host without a port, and undefined without a host. */
export function nameAtPort({ host, port }: Record<string, string | undefined>): string | undefined {
  return host && port ? `${host}:${port}` : host;
}

/** Returns the fields of types that are degraded if they are slow, with an example of the threshold. */
export function degradedFields(example: string, help?: string) {
  return {
    degradedAfterMs: {
      label: 'Degraded after',
      kind: 'duration',
      group: 'threshold',
      width: 'half',
      optional: true,
      placeholder: example,
      ...(help !== undefined && { help }),
    },
    'confirm.degraded': {
      label: 'Degraded threshold',
      kind: 'select',
      group: 'advanced',
      width: 'half',
      options: upToTen('check', 'checks in a row', CONFIRM_DEFAULTS.degraded),
      help: 'Also the number of normal checks before it is up again.',
    },
  } satisfies Record<string, FormField>;
}

export const headersField = { label: 'Headers', kind: 'headers', group: 'advanced' } satisfies FormField;

export const connectionTestsField = {
  label: 'Connection test between checks',
  kind: 'select',
  group: 'confirmation',
  options: [
    { value: undefined, label: 'Default: on' },
    { value: true, label: 'On' },
    { value: false, label: 'Off' },
  ],
  help: 'Connects once more per interval, halfway between two checks, with TLS if the checks use it. If that fails, the next check starts at once. It sends no request, so it does not notice error responses. Not used with regions or below 30 s.',
} satisfies FormField;

export const saveResponseBodyField = {
  label: 'Save response body',
  kind: 'select',
  group: 'advanced',
  options: [
    { value: undefined, label: 'Unless the monitor sends secrets' },
    { value: true, label: 'Always' },
    { value: false, label: 'Never' },
  ],
  help: 'For incidents. Secrets that a response repeats are masked, but cannot be found if they are encrypted, hashed, compressed or split.',
} satisfies FormField;
