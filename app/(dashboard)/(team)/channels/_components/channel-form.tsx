'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { get, type UseFormRegister, useForm } from 'react-hook-form';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { RadioGroup } from '@/app/_components/ui/radio-group';
import { toFieldErrors } from '@/app/_trpc/errors';
import {
  type Channel,
  type CreateChannelInput,
  channelDefinitionOf,
  channelTypes,
} from '@/server/notifications/schema';
import { type ChannelFields, channelFieldOf, channelForm, toChannelFields } from './channel-model';
import { kindFormOf } from './kinds';
import type { KindField } from './kinds/kind-form';

const types = channelTypes.map((value) => {
  return { value, label: channelDefinitionOf(value).label, note: kindFormOf(value).note };
});

export interface ChannelFormProps {
  /** The channel to edit; without one the form creates a channel. */
  channel?: Channel;
  edit?: EditedVersion;
  /** Saves the channel; the form shows its errors at the fields. */
  onSave: (input: CreateChannelInput) => Promise<void>;
  /** Shown beside the save button. */
  children?: React.ReactNode;
}

/** The form for new and for existing channels. */
export function ChannelForm({ channel, edit, onSave, children }: ChannelFormProps) {
  const form = useForm<ChannelFields, unknown, CreateChannelInput>({
    defaultValues: toChannelFields(channel),
    resolver: zodResolver(channelForm),
    mode: 'onTouched',
  });
  const unsaved = useUnsaved(form, { edit });
  const [failure, setFailure] = useState<string | null>(null);
  const { errors, isSubmitting } = form.formState;
  const type = form.watch('type');
  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    try {
      await onSave(input);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, (path) => channelFieldOf(path, input.type)));
    }
  });
  return (
    <form
      aria-label={channel ? `Edit ${channel.name}` : 'New channel'}
      noValidate
      onSubmit={submit}
      className="grid max-w-[560px] gap-5"
    >
      {unsaved}
      {channel ? null : (
        <RadioGroup
          legend="Channel type"
          name="type"
          options={types}
          value={type}
          onValueChange={(value) => form.setValue('type', value, { shouldDirty: true })}
        />
      )}
      <Field label="Name" error={errors.name?.message}>
        <Input autoComplete="off" {...form.register('name')} />
      </Field>
      {kindFormOf(type).fields.map((field) => (
        <ChannelInput
          key={`${type}-${field.name}`}
          name={`configs.${type}.${field.name}`}
          field={field}
          register={form.register}
          error={get(errors, `configs.${type}.${field.name}.message`)}
          isNew={!channel}
        />
      ))}
      {failure || errors.root ? (
        <Alert state="down" role="alert">
          {failure ?? errors.root?.message}
        </Alert>
      ) : null}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {channel ? 'Save changes' : 'Create channel'}
        </Button>
        {children}
      </div>
    </form>
  );
}

interface ChannelInputProps {
  name: `configs.${Channel['type']}.${string}`;
  field: KindField<string>;
  register: UseFormRegister<ChannelFields>;
  error: string | undefined;
  isNew: boolean;
}

function ChannelInput({ name, field, register, error, isNew }: ChannelInputProps) {
  const { name: _name, label, help, helpOnEdit, optional, ...input } = field;
  const shownHelp = isNew ? help : (helpOnEdit ?? help);
  return (
    <Field label={label} help={shownHelp} error={error} {...(optional && isNew && { optional })}>
      <Input mono autoComplete="off" {...input} {...register(name)} />
    </Field>
  );
}
