import type { FieldPath } from 'react-hook-form';
import { z } from 'zod';
import { schemaDefaults } from '@/app/_components/forms/schema-defaults';
import {
  type Channel,
  type ChannelType,
  CreateChannelInput,
  channelDefinitions,
  channelTypes,
} from '@/server/notifications/schema';
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
    const stored = channel?.type === type ? channel.config : {};
    const known: Record<string, unknown> = { ...schemaDefaults(channelDefinitions[type].schema), ...stored };
    return [type, Object.fromEntries(kindFormOf(type).fields.map(({ name }) => [name, known[name] ?? '']))] as const;
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

/** The schema of the form: the fields become the input of the API, which `CreateChannelInput` validates. Issues stand at the fields. */
export const channelForm = z.custom<ChannelFields>().transform((fields, ctx) => {
  const { data, error } = CreateChannelInput.safeParse(toChannelInput(fields));
  for (const { path, message } of error?.issues ?? []) {
    const field = channelFieldOf(path.join('.'), fields.type) ?? 'root';
    ctx.addIssue({ code: 'custom', path: field.split('.'), message });
  }
  return data ?? z.NEVER;
});
