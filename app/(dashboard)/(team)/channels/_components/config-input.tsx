'use client';

import type { UseFormReturn } from 'react-hook-form';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { Textarea } from '@/app/_components/ui/textarea';
import type { ChannelType, ConfigField, CreateChannelInput } from '@/server/notifications/schema';
import { type ChannelFields, helpOf } from './channel-model';

export interface ConfigInputProps {
  type: ChannelType;
  name: string;
  field: ConfigField;
  form: UseFormReturn<ChannelFields, unknown, CreateChannelInput>;
  error: string | undefined;
  isNew: boolean;
}

/** A field of a channel's config, as described by the definition of its kind. */
export function ConfigInput({ type, name, field, form, error, isNew }: ConfigInputProps) {
  const path = `config.${name}` as const;
  const { label, kind, optional, placeholder = '', options = [] } = field;
  const stored = isNew ? '' : (form.formState.defaultValues?.config?.[name] ?? '');
  const help = helpOf(type, name, field, stored);
  return (
    <Field label={label} help={help} error={error} {...(optional && stored === '' && { optional })}>
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
