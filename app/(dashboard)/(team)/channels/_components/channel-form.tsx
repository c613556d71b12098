'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo, useState } from 'react';
import { get, type UseFormReturn, useForm } from 'react-hook-form';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { toFieldErrors } from '@/app/_trpc/errors';
import type { Channel, ChannelType, CreateChannelInput } from '@/server/notifications/schema';
import {
  type ChannelFields,
  channelFieldOf,
  channelForm,
  configFieldsOf,
  toChannelFields,
  toChannelInput,
} from './channel-model';
import { ConfigInput } from './config-input';
import { PreviewRequest } from './preview';
import { SendTest } from './send-test';
import { SubscribeBrowser } from './subscribe-browser';

export interface ChannelFormProps {
  type: ChannelType;
  /** The channel to edit; without it, the form creates a channel. */
  channel?: Channel;
  edit?: EditedVersion;
  /** Saves the channel; the form shows its errors at the fields. */
  onSave: (input: CreateChannelInput) => Promise<void>;
  /** Whether the form is for a contact method of the user instead of a channel of the team. */
  isOwn?: boolean;
  /** Shown beside the save button. */
  children?: React.ReactNode;
}

/** The form to create or edit a channel, with the fields of the kind's config. */
export function ChannelForm({ type, channel, edit, onSave, isOwn = false, children }: ChannelFormProps) {
  const noun = isOwn ? 'contact method' : 'channel';
  const schema = useMemo(() => channelForm(type), [type]);
  const form = useForm<ChannelFields, unknown, CreateChannelInput>({
    defaultValues: toChannelFields(type, channel),
    resolver: zodResolver(schema),
    ...whenTouched,
  });
  const unsaved = useUnsaved(form, { edit, part: type });
  const [failure, setFailure] = useState<string | null>(null);
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    try {
      await onSave(input);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, (path) => channelFieldOf(path, type)));
    }
  });
  return (
    <form
      aria-label={channel ? `Edit ${channel.name}` : `New ${noun}`}
      noValidate
      onSubmit={submit}
      className="grid max-w-[560px] gap-5"
    >
      {unsaved}
      <Field label="Name" error={errors.name?.message}>
        <Input autoComplete="off" {...form.register('name')} />
      </Field>
      {type === 'web_push' ? (
        <SubscribeBrowser form={form} />
      ) : (
        <ConfigFields type={type} form={form} isNew={!channel} />
      )}
      {type === 'custom' ? (
        <PreviewRequest channel={channel} read={() => toChannelInput(type, form.getValues())} />
      ) : null}
      <SendTest type={type} form={form} channel={channel} isOwn={isOwn} />
      {failure || errors.root ? (
        <Alert state="down" role="alert">
          {failure ?? errors.root?.message}
        </Alert>
      ) : null}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {channel ? 'Save changes' : `Create ${noun}`}
        </Button>
        {children}
      </div>
    </form>
  );
}

interface ConfigFieldsProps {
  type: ChannelType;
  form: UseFormReturn<ChannelFields, unknown, CreateChannelInput>;
  isNew: boolean;
}

function ConfigFields({ type, form, isNew }: ConfigFieldsProps) {
  return configFieldsOf(type).map(([name, field]) => (
    <ConfigInput
      key={name}
      type={type}
      name={name}
      field={field}
      form={form}
      error={get(form.formState.errors, `config.${name}.message`)}
      isNew={isNew}
    />
  ));
}
