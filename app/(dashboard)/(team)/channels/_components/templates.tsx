'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FailedQuery } from '@/app/_components/failed-query';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { useFollow } from '@/app/_components/forms/use-follow';
import { useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { Textarea } from '@/app/_components/ui/textarea';
import { useTRPC } from '@/app/_trpc/client';
import { toFieldErrors } from '@/app/_trpc/errors';
import { type Channel, type ChannelTemplate, placeholders, TemplatedEvent } from '@/server/notifications/schema';
import { eventOptions, MessageTexts } from './preview';

const events = TemplatedEvent.options;

/** The templates in the order of the events; empty for the default text. */
interface TemplateFields {
  texts: { subject: string; body: string }[];
}

function toFields(templates: readonly ChannelTemplate[]): TemplateFields {
  const texts = events.map((event) => {
    const template = templates.find((each) => each.event === event);
    return { subject: template?.subject ?? '', body: template?.body ?? '' };
  });
  return { texts };
}

const orNull = (text: string | undefined) => (text?.trim() ? text : null);

/** The entered templates as input of the API. */
function toTemplates({ texts }: TemplateFields): ChannelTemplate[] {
  return events.flatMap((event, index) => {
    const [subject, body] = [orNull(texts[index]?.subject), orNull(texts[index]?.body)];
    return subject === null && body === null ? [] : [{ event, subject, body }];
  });
}

/** The editor for the texts of a channel's messages. */
export function Templates({ channel }: { channel: Channel }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.notifications.templates.get.queryOptions({ id: channel.id }));
  return (
    <Section title="Templates" note="optional">
      {query.isPending ? <RowsLoading rows={3} label="Loading the templates" /> : null}
      {query.isError && !query.data ? <FailedQuery query={query} title="Could not load the templates" /> : null}
      {query.data ? <TemplatesForm channel={channel} templates={query.data.templates} /> : null}
    </Section>
  );
}

function TemplatesForm({ channel, templates }: { channel: Channel; templates: ChannelTemplate[] }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm<TemplateFields>({ defaultValues: toFields(templates) });
  const unsaved = useUnsaved(form, { part: 'templates' });
  useFollow(form, toFields(templates));
  const [event, setEvent] = useState<TemplatedEvent>('incident.opened');
  const [failure, setFailure] = useState<string | null>(null);
  const saving = useMutation(trpc.notifications.templates.set.mutationOptions());
  const previewing = useMutation(trpc.notifications.preview.mutationOptions());
  const index = events.indexOf(event);
  const errors = form.formState.errors.texts?.[index];
  const submit = form.handleSubmit(async (fields) => {
    setFailure(null);
    const sent = toTemplates(fields);
    try {
      const { templates: saved } = await saving.mutateAsync({ id: channel.id, templates: sent });
      queryClient.setQueryData(trpc.notifications.templates.get.queryKey({ id: channel.id }), { templates: saved });
      form.reset(toFields(saved));
      toast('Templates saved');
    } catch (error) {
      const rest = toFieldErrors(error, form.setError, (path) => {
        const [, at, field] = /^templates\.(\d+)\.(subject|body)/.exec(path) ?? [];
        const failed = sent[Number(at)]?.event;
        if (!failed) return null;
        setEvent(failed);
        return `texts.${events.indexOf(failed)}.${field as 'subject' | 'body'}`;
      });
      setFailure(rest);
    }
  });
  const preview = async () => {
    const text = form.getValues(`texts.${index}`);
    setFailure(null);
    form.clearErrors(`texts.${index}`);
    try {
      await previewing.mutateAsync({ id: channel.id, event, subject: orNull(text.subject), body: orNull(text.body) });
    } catch (error) {
      const fieldOf = (path: string) =>
        path === 'subject' || path === 'body' ? (`texts.${index}.${path}` as const) : null;
      setFailure(toFieldErrors(error, form.setError, fieldOf));
    }
  };
  return (
    <form aria-label="Templates" noValidate onSubmit={submit} className="grid gap-4">
      {unsaved}
      <Field label="Event">
        <Select
          options={eventOptions}
          value={event}
          onValueChange={(chosen) => {
            setEvent(chosen);
            previewing.reset();
          }}
        />
      </Field>
      <Field key={`subject-${event}`} label="Subject" error={errors?.subject?.message}>
        <Input mono placeholder="{{headline}}" autoComplete="off" {...form.register(`texts.${index}.subject`)} />
      </Field>
      <Field
        key={`body-${event}`}
        label="Body"
        error={errors?.body?.message}
        help="The link to the incident is always added."
      >
        <Textarea mono rows={5} placeholder="{{details}}" {...form.register(`texts.${index}.body`)} />
      </Field>
      <Placeholders />
      <FormProblem>{failure}</FormProblem>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" busy={saving.isPending}>
          Save templates
        </Button>
        <Button busy={previewing.isPending} onClick={preview}>
          <Icon name="eye" />
          Preview
        </Button>
      </div>
      {previewing.data ? <MessageTexts preview={previewing.data.preview} /> : null}
    </form>
  );
}

function Placeholders() {
  return (
    <details className="text-small">
      <summary className="cursor-pointer rounded-1 font-medium text-muted hover:text-ink">Placeholders</summary>
      <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
        {Object.entries(placeholders).map(([name, meaning]) => (
          <div key={name} className="contents">
            <dt className="font-mono">{`{{${name}}}`}</dt>
            <dd className="text-muted max-sm:mb-1.5">{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
