import { type FieldErrors, type FieldPath, get, type Resolver, set } from 'react-hook-form';
import { type Channel, type ChannelType, CreateChannelInput, channelTypes } from '@/server/notifications/schema';
import { kindFormOf } from './kinds';

/** What the form's fields hold: the config fields of every type side by side. */
export interface ChannelFields {
  type: ChannelType;
  name: string;
  configs: Record<ChannelType, Record<string, string>>;
}

export type ChannelField = FieldPath<ChannelFields>;

/** The fields of a new channel, or of an existing one. */
export function toChannelFields(channel?: Channel): ChannelFields {
  const configs = channelTypes.map((type) => {
    const stored: Record<string, string> = channel?.type === type ? channel.config : {};
    return [type, Object.fromEntries(kindFormOf(type).fields.map(({ name }) => [name, stored[name] ?? '']))] as const;
  });
  return {
    type: channel?.type ?? 'email',
    name: channel?.name ?? '',
    configs: Object.fromEntries(configs) as ChannelFields['configs'],
  };
}

/** What the fields ask for, not yet validated. Optional fields that are empty are left out. */
export function toChannelInput({ type, name, configs }: ChannelFields) {
  const config = kindFormOf(type).fields.flatMap((field) => {
    const text = configs[type][field.name]?.trim() ?? '';
    return text === '' && field.optional ? [] : [[field.name, text] as const];
  });
  return { type, name, config: Object.fromEntries(config) };
}

/** The field that shows an issue of the schema; null where none does. */
export function channelFieldOf(path: string, type: ChannelType): ChannelField | null {
  if (path === 'name') return path;
  const field = kindFormOf(type).fields.find(({ name }) => path === `config.${name}`);
  return field ? `configs.${type}.${field.name}` : null;
}

/** Validates the fields by the server's own schema. */
export const channelResolver: Resolver<ChannelFields> = (fields) => {
  const result = CreateChannelInput.safeParse(toChannelInput(fields));
  if (result.success) return { values: fields, errors: {} };
  const errors: FieldErrors<ChannelFields> = {};
  for (const issue of result.error.issues) {
    const error = { type: 'schema', message: issue.message };
    const field = channelFieldOf(issue.path.join('.'), fields.type);
    if (!field) errors.root ??= error;
    else if (!get(errors, field)) set(errors, field, error);
  }
  return { values: {}, errors };
};
