import type { FieldErrors, Resolver } from 'react-hook-form';
import { type Channel, type ChannelType, CreateChannelInput } from '@/server/notifications/schema';

/** What the form's fields hold, those of every type beside each other. */
export interface ChannelFields {
  type: ChannelType;
  name: string;
  email: string;
  webhookUrl: string;
  channelAccessToken: string;
  lineTo: string;
  url: string;
  secret: string;
}

export type ChannelField = keyof ChannelFields;

/** The fields of a new channel, or of one that is changed. */
export function toChannelFields(channel?: Channel): ChannelFields {
  const fields: ChannelFields = {
    type: channel?.type ?? 'email',
    name: channel?.name ?? '',
    email: '',
    webhookUrl: '',
    channelAccessToken: '',
    lineTo: '',
    url: '',
    secret: '',
  };
  switch (channel?.type) {
    case undefined:
      return fields;
    case 'email':
      return { ...fields, email: channel.config.to };
    case 'slack':
    case 'discord':
      return { ...fields, webhookUrl: channel.config.webhookUrl };
    case 'line':
      return { ...fields, channelAccessToken: channel.config.channelAccessToken, lineTo: channel.config.to };
    case 'webhook':
      return { ...fields, url: channel.config.url, secret: channel.config.secret };
    default:
      return channel satisfies never;
  }
}

function configOf(fields: ChannelFields): Record<string, string> {
  switch (fields.type) {
    case 'email':
      return { to: fields.email.trim() };
    case 'slack':
    case 'discord':
      return { webhookUrl: fields.webhookUrl.trim() };
    case 'line':
      return { channelAccessToken: fields.channelAccessToken.trim(), to: fields.lineTo.trim() };
    case 'webhook':
      return { url: fields.url.trim(), ...(fields.secret.trim() && { secret: fields.secret.trim() }) };
    default:
      return fields.type satisfies never;
  }
}

/** What the fields ask for, not yet checked. */
export function toChannelInput(fields: ChannelFields) {
  return { type: fields.type, name: fields.name, config: configOf(fields) };
}

const byPath: Record<string, ChannelField> = {
  'config.webhookUrl': 'webhookUrl',
  'config.channelAccessToken': 'channelAccessToken',
  'config.url': 'url',
  'config.secret': 'secret',
  name: 'name',
};

/** The field that shows what an issue of the schema is about; null where none does. */
export function channelFieldOf(path: string, type: ChannelType): ChannelField | null {
  if (path === 'config.to') return type === 'line' ? 'lineTo' : 'email';
  return byPath[path] ?? null;
}

/** Holds the fields against the server's own schema. */
export const channelResolver: Resolver<ChannelFields> = (fields) => {
  const result = CreateChannelInput.safeParse(toChannelInput(fields));
  if (result.success) return { values: fields, errors: {} };
  const errors: FieldErrors<ChannelFields> = {};
  for (const issue of result.error.issues) {
    const error = { type: 'schema', message: issue.message };
    const field = channelFieldOf(issue.path.join('.'), fields.type);
    if (field) errors[field] ??= error;
    else errors.root ??= error;
  }
  return { values: {}, errors };
};
