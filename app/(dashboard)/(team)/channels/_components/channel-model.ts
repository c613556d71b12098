import type { FieldPath } from 'react-hook-form';
import { z } from 'zod';
import { inputForm } from '@/app/_components/forms/input-form';
import { schemaDefaults } from '@/app/_components/forms/schema-defaults';
import {
  type Channel,
  type ChannelType,
  type ConfigField,
  CreateChannelInput,
  channelDefinitionOf,
} from '@/server/notifications/schema';

export interface ChannelFields {
  name: string;
  config: Record<string, string>;
}

export type ChannelField = FieldPath<ChannelFields>;

/** The fields of a kind's config in the order of the form. */
export function configFieldsOf(type: ChannelType): [name: string, field: ConfigField][] {
  return Object.entries(channelDefinitionOf(type).fields);
}

/** The initial values of the form: those of a channel, or of a new one. */
export function toChannelFields(type: ChannelType, channel?: Channel): ChannelFields {
  const known: Record<string, unknown> = {
    ...schemaDefaults(channelDefinitionOf(type).schema),
    ...channel?.config,
  };
  const config = configFieldsOf(type).map(([name]) => [name, String(known[name] ?? '')] as const);
  return { name: channel?.name ?? '', config: Object.fromEntries(config) };
}

/** Whether an empty text is a valid value. It is not for secrets, nor for fields that the kind can omit. */
function acceptsEmpty(type: ChannelType, name: string): boolean {
  return z.safeParse(channelDefinitionOf(type).schema.shape[name] as z.ZodType, '').success;
}

/**
 * Converts the fields to the input of the API, without validation. Omits empty optional fields, unless omitting a secret would keep the stored one.
 */
export function toChannelInput(type: ChannelType, { name, config }: ChannelFields) {
  const { secrets } = channelDefinitionOf(type);
  const given = configFieldsOf(type).flatMap(([field, { kind, optional }]) => {
    const value = config[field] ?? '';
    const text = kind === 'multiline' ? value : value.trim();
    const isLeftOut = text === '' && optional && !(secrets[field] !== undefined && acceptsEmpty(type, field));
    return isLeftOut ? [] : [[field, text] as const];
  });
  return { type, name, config: Object.fromEntries(given) };
}

/** The field that shows an issue of the schema; null if no field does. */
export function channelFieldOf(path: string, type: ChannelType): ChannelField | null {
  if (path === 'name') return path;
  const field = configFieldsOf(type).find(([name]) => path === `config.${name}`);
  return field ? `config.${field[0]}` : null;
}

export function channelForm(type: ChannelType) {
  return inputForm({
    schema: CreateChannelInput,
    toInput: (fields: ChannelFields) => toChannelInput(type, fields),
    fieldOf: (path) => channelFieldOf(path, type),
  });
}

const KEPT = 'Stored encrypted. Leave unchanged to keep it.';

/** The help of a field. For a stored secret, it says how to keep it, and which changes require entering it again. */
export function helpOf(type: ChannelType, name: string, { help }: ConfigField, stored: string): string | undefined {
  const { secrets, endpoint, fields } = channelDefinitionOf(type);
  if (stored === '' || secrets[name] !== 'credential') return help;
  if (endpoint === undefined || endpoint === name) return KEPT;
  return `${KEPT} Required again if the ${fields[endpoint]?.label ?? 'URL'} points to another server.`;
}
