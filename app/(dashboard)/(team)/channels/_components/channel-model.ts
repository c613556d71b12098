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

/** What the form's fields hold. */
export interface ChannelFields {
  name: string;
  config: Record<string, string>;
}

export type ChannelField = FieldPath<ChannelFields>;

/** The fields of a kind's form, which are those of its config, in their order. */
export function configFieldsOf(type: ChannelType): [name: string, field: ConfigField][] {
  return Object.entries(channelDefinitionOf(type).fields);
}

/** The fields of a new channel, or of an existing one. */
export function toChannelFields(type: ChannelType, channel?: Channel): ChannelFields {
  const known: Record<string, unknown> = {
    ...schemaDefaults(channelDefinitionOf(type).schema),
    ...channel?.config,
  };
  const config = configFieldsOf(type).map(([name]) => [name, String(known[name] ?? '')] as const);
  return { name: channel?.name ?? '', config: Object.fromEntries(config) };
}

/** Whether an empty text means something: no secret, where the kind does without. */
function acceptsEmpty(type: ChannelType, name: string): boolean {
  return z.safeParse(channelDefinitionOf(type).schema.shape[name] as z.ZodType, '').success;
}

/** What the fields ask for, not yet validated. Optional fields that are empty are left out, unless that would keep a secret. */
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

/** The field that shows an issue of the schema; null where none does. */
export function channelFieldOf(path: string, type: ChannelType): ChannelField | null {
  if (path === 'name') return path;
  const field = configFieldsOf(type).find(([name]) => path === `config.${name}`);
  return field ? `config.${field[0]}` : null;
}

/** The schema of the form. */
export function channelForm(type: ChannelType) {
  return inputForm({
    schema: CreateChannelInput,
    toInput: (fields: ChannelFields) => toChannelInput(type, fields),
    fieldOf: (path) => channelFieldOf(path, type),
  });
}

const KEPT = 'Stored encrypted. Leave unchanged to keep it.';

/** The help of a field. A secret that is `stored` says how to keep it, and what would require it again. */
export function helpOf(type: ChannelType, name: string, { help }: ConfigField, stored: string): string | undefined {
  const { secrets, endpoint, fields } = channelDefinitionOf(type);
  if (stored === '' || secrets[name] !== 'credential') return help;
  if (endpoint === undefined || endpoint === name) return KEPT;
  return `${KEPT} Required again if the ${fields[endpoint]?.label ?? 'URL'} points to another server.`;
}
