import type { ChannelSpec, MonitorSpec, Section, Spec } from '@/server/config-files/schema';
import { mapSecrets } from '@/server/monitor-types/schema';
import { channelDefinitionOf } from '@/server/notifications/schema';
import { hintOf, MASK, maskUrlText, urlAsShown } from '@/server/platform/schema';

/** As in the definitions of monitor types and channel kinds: `text` and `url` may contain a secret. */
type SecretKind = 'credential' | 'text' | 'url';

export interface SecretField {
  path: string;
  kind: SecretKind;
  /** Whether the mask of a URL shows its path. */
  keepsPath: boolean;
}

/** Returns a config in which `replace` has replaced each field that is or may contain a secret. */
function mapConfig(
  section: Section,
  spec: Pick<MonitorSpec | ChannelSpec, 'type' | 'config'>,
  replace: (value: string, field: SecretField) => unknown,
): Record<string, unknown> {
  const { config } = spec;
  if (section === 'monitors') {
    return mapSecrets((spec as MonitorSpec).type, config, (value, path, kind) =>
      typeof value === 'string' ? replace(value, { path, kind, keepsPath: true }) : value,
    );
  }
  const secrets = channelDefinitionOf((spec as ChannelSpec).type).secrets as Record<string, SecretKind>;
  const fields = Object.entries(config).map(([name, value]) => {
    const kind = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (kind === undefined || typeof value !== 'string') return [name, value];
    return [name, replace(value, { path: `config.${name}`, kind, keepsPath: false })];
  });
  return Object.fromEntries(fields);
}

/** Whether objects of a section have a config with secrets. */
export const hasConfig = (section: Section): section is 'monitors' | 'channels' =>
  section === 'monitors' || section === 'channels';

/** Returns a spec in which `replace` has replaced each secret of the config. */
export function mapSpecSecrets<S extends Spec>(
  section: Section,
  spec: S,
  replace: (value: string, field: SecretField) => unknown,
): S {
  if (!hasConfig(section)) return spec;
  return { ...spec, config: mapConfig(section, spec as unknown as MonitorSpec, replace) };
}

/** Returns the fields of a spec that are or may contain secrets, by path. */
export function secretFields(section: Section, spec: Spec): Map<string, SecretField> {
  const found = new Map<string, SecretField>();
  mapSpecSecrets(section, spec, (value, field) => {
    found.set(field.path, field);
    return value;
  });
  return found;
}

/** Returns the mask that the API shows instead of a value to members who may not see it. */
export function maskOf(value: string, { kind, keepsPath }: SecretField): string {
  if (kind === 'credential') return value === '' ? '' : MASK + hintOf(value);
  if (kind === 'text') return MASK;
  return maskUrlText(value, { keepsPath });
}

/** Whether a value contains a secret, or may contain one. */
export const mayBeSecret = (value: string, field: SecretField): boolean =>
  field.kind !== 'url' || maskOf(value, field) !== (field.keepsPath ? urlAsShown(value) : value);

/** Whether what the API shows is this value, or its mask. The mask of a credential contains its last four characters. */
export const looksLike = (shown: string, value: string, field: SecretField): boolean =>
  shown === value || shown === maskOf(value, field) || (field.kind === 'credential' && shown === MASK);

/** Returns a value for people and logs, without its secret parts. */
export function displaySecret(value: unknown, field: SecretField): string | undefined {
  if (value === undefined) return undefined;
  return field.kind === 'url' && typeof value === 'string' ? maskOf(value, field) : '(secret)';
}

const REFERENCE = /\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Returns the names of the environment variables that a text of a file refers to: `${NAME}`. `$${NAME}` is the text itself. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([whole, name = '']) => (whole.startsWith('$$') ? [] : [name]));
}

/** Replaces `${NAME}` with the values of environment variables, and `$${NAME}` with `${NAME}`. */
export function expand(text: string, valueFor: (name: string) => string): string {
  return text.replace(REFERENCE, (whole, name: string) => (whole.startsWith('$$') ? whole.slice(1) : valueFor(name)));
}

/** Returns a text as a file contains it, with everything escaped that looks like a reference. */
export const escapeText = (text: string): string => text.replace(REFERENCE, (whole) => `$${whole}`);

/** Returns the name of the environment variable of a secret in exported files, such as `CHANNEL_OPS__WEBHOOK_URL`. */
export function variableFor(section: 'monitors' | 'channels', key: string, path: string): string {
  const upper = (text: string) =>
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .toUpperCase();
  return `${section === 'monitors' ? 'MONITOR' : 'CHANNEL'}_${upper(key)}__${upper(path.replace(/^config\./, ''))}`;
}
