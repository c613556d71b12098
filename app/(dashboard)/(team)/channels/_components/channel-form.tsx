'use client';

import { useState } from 'react';
import { type UseFormRegister, useForm } from 'react-hook-form';
import { channelWords } from '@/app/_components/channels';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Button } from '@/app/_components/ui/button';
import { ChoiceCards } from '@/app/_components/ui/choice-cards';
import { Field } from '@/app/_components/ui/field';
import { Input, type InputProps } from '@/app/_components/ui/input';
import { Notice } from '@/app/_components/ui/notice';
import { readApiError } from '@/app/_trpc/errors';
import { type Channel, type ChannelType, CreateChannelInput } from '@/server/notifications/schema';
import {
  type ChannelField,
  type ChannelFields,
  channelFieldOf,
  channelResolver,
  toChannelFields,
  toChannelInput,
} from './channel-model';

const types: { value: ChannelType; label: string; note: string }[] = [
  { value: 'email', label: channelWords.email, note: 'One address' },
  { value: 'slack', label: channelWords.slack, note: 'Incoming webhook' },
  { value: 'discord', label: channelWords.discord, note: 'Channel webhook' },
  { value: 'line', label: channelWords.line, note: 'Messaging API' },
  { value: 'webhook', label: channelWords.webhook, note: 'Signed JSON' },
];

const kept = 'Stored encrypted. Leave unchanged to keep it.';

interface FieldDescription extends Pick<InputProps, 'inputMode' | 'placeholder' | 'type'> {
  name: ChannelField;
  label: string;
  help?: string;
  optional?: boolean;
}

const fieldsOf: Record<ChannelType, FieldDescription[]> = {
  email: [
    { name: 'email', label: 'Send to', inputMode: 'email', type: 'email', placeholder: 'oncall@northwind.example' },
  ],
  slack: [
    {
      name: 'webhookUrl',
      label: 'Webhook URL',
      inputMode: 'url',
      placeholder: 'https://hooks.slack.com/services/…',
      help: kept,
    },
  ],
  discord: [
    {
      name: 'webhookUrl',
      label: 'Webhook URL',
      inputMode: 'url',
      placeholder: 'https://discord.com/api/webhooks/…',
      help: kept,
    },
  ],
  line: [
    { name: 'channelAccessToken', label: 'Channel access token', help: kept },
    { name: 'lineTo', label: 'Send to', help: 'The id of a user, group or room.' },
  ],
  webhook: [
    { name: 'url', label: 'URL', inputMode: 'url', placeholder: 'https://hooks.northwind.example/upwatch' },
    { name: 'secret', label: 'Signing secret', optional: true, help: 'Left empty, one is made and shown once.' },
  ],
};

export interface ChannelFormProps {
  /** The channel that is changed; without one a new one is made. */
  channel?: Channel;
  edit?: EditedVersion;
  /** Sends it; what it throws is shown at the fields. */
  onSave: (input: CreateChannelInput) => Promise<void>;
  /** Stands beside the button that saves. */
  children?: React.ReactNode;
}

/** The one form for new and for changed channels. */
export function ChannelForm({ channel, edit, onSave, children }: ChannelFormProps) {
  const form = useForm<ChannelFields>({
    defaultValues: toChannelFields(channel),
    resolver: channelResolver,
    mode: 'onTouched',
  });
  const unsaved = useUnsaved(form, edit);
  const [failure, setFailure] = useState<string | null>(null);
  const { errors, isSubmitting } = form.formState;
  const type = form.watch('type');
  const submit = form.handleSubmit(async (fields) => {
    setFailure(null);
    try {
      await onSave(CreateChannelInput.parse(toChannelInput(fields)));
    } catch (error) {
      const { message, issues = [] } = readApiError(error);
      const placed = issues.flatMap((issue) => {
        const field = channelFieldOf(issue.path, fields.type);
        return field ? [{ field, message: issue.message }] : [];
      });
      placed.forEach((each, index) => {
        form.setError(each.field, { type: 'server', message: each.message }, { shouldFocus: index === 0 });
      });
      if (placed.length === 0) setFailure(message);
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
        <ChoiceCards
          legend="How it is told"
          name="type"
          options={types}
          value={type}
          onValueChange={(value) => form.setValue('type', value, { shouldDirty: true })}
        />
      )}
      <Field label="Name" error={errors.name?.message}>
        <Input autoComplete="off" {...form.register('name')} />
      </Field>
      {fieldsOf[type].map((field) => (
        <ChannelInput
          key={`${type}-${field.name}`}
          field={field}
          register={form.register}
          error={errors[field.name]?.message}
          isNew={!channel}
        />
      ))}
      {failure || errors.root ? (
        <Notice state="down" role="alert">
          {failure ?? errors.root?.message}
        </Notice>
      ) : null}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {channel ? 'Save changes' : 'Add channel'}
        </Button>
        {children}
      </div>
    </form>
  );
}

interface ChannelInputProps {
  field: FieldDescription;
  register: UseFormRegister<ChannelFields>;
  error: string | undefined;
  isNew: boolean;
}

function ChannelInput({ field, register, error, isNew }: ChannelInputProps) {
  const { name, label, help, optional, ...input } = field;
  const shownHelp = name === 'secret' && !isNew ? `${kept} Required again when the URL leads to another server.` : help;
  return (
    <Field label={label} help={shownHelp} error={error} {...(optional && isNew && { optional })}>
      <Input mono autoComplete="off" {...input} {...register(name)} />
    </Field>
  );
}
