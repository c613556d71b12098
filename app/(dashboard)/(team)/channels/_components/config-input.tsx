'use client';

import type { UseFormReturn } from 'react-hook-form';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { Textarea } from '@/app/_components/ui/textarea';
import {
  type ChannelType,
  type ConfigField,
  type CreateChannelInput,
  channelDefinitionOf,
} from '@/server/notifications/schema';
import type { ChannelFields } from './channel-model';

const KEPT = 'Stored encrypted. Leave unchanged to keep it.';

/** The help of a field. A stored secret says how to keep it, and what would require it again. */
function helpOf(type: ChannelType, name: string, { help }: ConfigField, isNew: boolean): string | undefined {
  const { secrets, endpoint, fields } = channelDefinitionOf(type);
  if (isNew || secrets[name] !== 'credential') return help;
  if (endpoint === undefined || endpoint === name) return KEPT;
  return `${KEPT} Required again if the ${fields[endpoint]?.label ?? 'URL'} points to another server.`;
}

export interface ConfigInputProps {
  type: ChannelType;
  name: string;
  field: ConfigField;
  form: UseFormReturn<ChannelFields, unknown, CreateChannelInput>;
  error: string | undefined;
  isNew: boolean;
}

/** One field of a channel's config, as its kind describes it. */
export function ConfigInput({ type, name, field, form, error, isNew }: ConfigInputProps) {
  const path = `config.${name}` as const;
  const { label, kind, optional, placeholder = '', options = [] } = field;
  return (
    <Field label={label} help={helpOf(type, name, field, isNew)} error={error} {...(optional && isNew && { optional })}>
      {kind === 'select' ? (
        <Select
          options={options}
          value={form.watch(path) || (options[0]?.value ?? '')}
          onValueChange={(value) => form.setValue(path, value, { shouldDirty: true, shouldValidate: true })}
        />
      ) : kind === 'multiline' ? (
        <Textarea mono rows={6} placeholder={placeholder} {...form.register(path)} />
      ) : (
        <Input
          mono
          autoComplete="off"
          placeholder={placeholder}
          {...(kind === 'email' && { type: 'email', inputMode: 'email' })}
          {...(kind === 'url' && { inputMode: 'url' })}
          {...form.register(path)}
        />
      )}
    </Field>
  );
}
