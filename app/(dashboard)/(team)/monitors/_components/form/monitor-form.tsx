'use client';

import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import { Controller, FormProvider, type SubmitErrorHandler, useForm, useWatch } from 'react-hook-form';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { Button } from '@/app/_components/ui/button';
import { ChoiceCards } from '@/app/_components/ui/choice-cards';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Kbd, ModKey } from '@/app/_components/ui/kbd';
import { Notice } from '@/app/_components/ui/notice';
import { TagInput } from '@/app/_components/ui/tag-input';
import { readApiError } from '@/app/_trpc/errors';
import { CreateMonitorInput, type Monitor, MonitorType } from '@/server/monitors/schema';
import { ConfirmFields } from './advanced';
import { ChannelsField } from './channels-field';
import { FormPart, NumberChoiceField, TextField, Two, useFieldError } from './fields';
import { IntervalField } from './interval-field';
import { type MonitorFields, toFields, toInput } from './model';
import { RegionsField } from './regions-field';
import { fieldOf, monitorResolver } from './resolver';
import { partsOf, typeParts } from './type-parts';

const types = MonitorType.options.map((value) => {
  const { label, note } = typeParts[value];
  return { value, label, note };
});

const failures = Array.from({ length: 10 }, (_, index) => ({
  value: index + 1,
  label: index === 0 ? '1 failure' : `${index + 1} failures in a row`,
}));

export interface MonitorFormProps {
  /** The monitor that is changed; without one a new one is made, of this type at first. */
  monitor?: Monitor;
  edit?: EditedVersion;
  type?: MonitorType;
  /** Where leaving the form leads. */
  backTo: string;
  /** Sends it; what it throws is shown at the fields. */
  onSave: (input: CreateMonitorInput) => Promise<void>;
}

/** The fields of the advanced part: an error there opens it. */
const advanced =
  /^(externalId|confirm\.(re|degraded)|websocket\.headers|http\.(headers|body|auth|maxRedirects|certificateWarnDays|ipFamily))/;

/** The one form for new and for changed monitors. */
export function MonitorForm({ monitor, edit, type = 'http', backTo, onSave }: MonitorFormProps) {
  const form = useForm<MonitorFields>({
    defaultValues: toFields(type, monitor),
    resolver: monitorResolver(monitor?.config),
    mode: 'onTouched',
    shouldFocusError: false,
  });
  const unsaved = useUnsaved(form, edit);
  const element = useFirstError(form.formState.submitCount);
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const chosen = useWatch({ control: form.control, name: 'type' });

  const openAdvanced = (fields: string[]) => {
    if (fields.some((field) => advanced.test(field))) setOpen(true);
  };
  const onInvalid: SubmitErrorHandler<MonitorFields> = (errors) => {
    setFailure(errors.root?.message ?? null);
    openAdvanced(leaves(errors));
  };
  const onValid = async (fields: MonitorFields) => {
    setFailure(null);
    try {
      await onSave(CreateMonitorInput.parse(toInput(fields, monitor?.config)));
    } catch (error) {
      const { message, issues = [] } = readApiError(error);
      const placed = issues.flatMap((issue) => {
        const field = fieldOf(fields.type, issue.path);
        return field ? [{ field, message: issue.message }] : [];
      });
      for (const { field, message: text } of placed) form.setError(field, { type: 'server', message: text });
      openAdvanced(placed.map(({ field }) => field));
      if (placed.length === 0) setFailure(message);
    }
  };
  const { Target, Timing = EveryAndTimeout, upWhen, Expected, Advanced, advancedTitle } = partsOf(chosen);
  const submit = form.handleSubmit(onValid, onInvalid);
  const isNew = monitor === undefined;

  return (
    <FormProvider {...form}>
      <form
        ref={element}
        aria-label={isNew ? 'New monitor' : `Edit ${monitor.name}`}
        noValidate
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit();
        }}
        className="max-w-[560px]"
      >
        {unsaved}
        {isNew ? (
          <div className="pb-6">
            <Controller
              control={form.control}
              name="type"
              render={({ field }) => (
                <ChoiceCards
                  legend="What to watch"
                  name="type"
                  options={types}
                  value={field.value}
                  onValueChange={field.onChange}
                />
              )}
            />
          </div>
        ) : null}
        <FormPart>
          {Target ? <Target suggests={isNew} /> : null}
          <Two>
            <TextField name="name" label="Name" autoComplete="off" />
            <TagsField />
          </Two>
          <Timing current={monitor?.intervalSeconds} />
        </FormPart>
        <FormPart title="Counts as up when" note={upWhen}>
          {Expected ? <Expected /> : null}
          {advancedTitle ? (
            <Two>
              <NumberChoiceField name="confirm.failures" label="Down after" options={failures} />
              {chosen === 'http' ? (
                <TextField name="http.degradedAfter" label="Degraded after" optional placeholder="800 ms" />
              ) : null}
            </Two>
          ) : null}
        </FormPart>
        {chosen === 'heartbeat' ? null : <RegionsField />}
        <FormPart title="Who hears of it">
          <ChannelsField />
        </FormPart>
        <div className="border-t py-4">
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-8 items-center gap-2 font-medium"
          >
            <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
            {advancedTitle ? `${advancedTitle}, external ID` : 'External ID'}
          </button>
          {open ? (
            <div className="grid gap-5 pt-4">
              {Advanced ? <Advanced /> : null}
              {advancedTitle ? <ConfirmFields /> : null}
              <TextField
                name="externalId"
                label="External ID"
                mono
                optional
                autoComplete="off"
                help="What your own tools call this monitor; no other of the team may have it."
              />
            </div>
          ) : null}
        </div>
        {failure ? (
          <Notice state="down" role="alert" className="mb-4">
            {failure}
          </Notice>
        ) : null}
        <div className="flex items-center gap-2 border-t pt-5 max-xl:sticky max-xl:bottom-[calc(var(--bottombar)+env(safe-area-inset-bottom))] max-xl:z-10 max-xl:-mx-(--gutter) max-xl:bg-surface max-xl:px-(--gutter) max-xl:py-2.5 sm:max-xl:bottom-0">
          <Button type="submit" variant="primary" busy={form.formState.isSubmitting} className="max-xl:flex-1">
            {isNew ? 'Create monitor' : 'Save changes'}
          </Button>
          <Button asChild variant="ghost">
            <Link href={backTo}>Discard</Link>
          </Button>
          <span className="grow max-xl:hidden" />
          <span aria-hidden="true" className="text-small text-faint max-lg:hidden">
            <ModKey /> <Kbd>↵</Kbd> {isNew ? 'creates' : 'saves'}
          </span>
        </div>
      </form>
    </FormProvider>
  );
}

/**
 * The form's ref: after each submission the first field with an error, as they stand on the page, has the focus. The
 * library would go by the order in which they were shown first.
 */
function useFirstError(submitCount: number) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (submitCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount]);
  return form;
}

/** How often it is checked, and for how long a check may take. */
function EveryAndTimeout({ current }: { current: number | undefined }) {
  return (
    <Two>
      <IntervalField label="Check every" current={current} />
      <TextField name="timeout" label="Give up after" help="At most 60 s." />
    </Two>
  );
}

function TagsField() {
  const error = useFieldError('tags');
  return (
    <Field label="Tags" error={error} optional>
      <Controller<MonitorFields, 'tags'>
        name="tags"
        render={({ field }) => <TagInput value={field.value} onValueChange={field.onChange} onBlur={field.onBlur} />}
      />
    </Field>
  );
}

/** The paths of a tree of errors. */
function leaves(errors: object, path = ''): string[] {
  return Object.entries(errors).flatMap(([key, value]) => {
    const here = path ? `${path}.${key}` : key;
    if (typeof value !== 'object' || value === null) return [];
    return 'message' in value ? [here] : leaves(value, here);
  });
}
