'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import Link from 'next/link';
import { useState } from 'react';
import { Controller, FormProvider, type SubmitErrorHandler, useForm, useWatch } from 'react-hook-form';
import { TagInput } from '@/app/_components/forms/tag-input';
import { useFirstError } from '@/app/_components/forms/use-first-error';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { severityOptions } from '@/app/_components/incidents/incident-words';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Kbd, ModKey } from '@/app/_components/ui/kbd';
import { RadioGroup } from '@/app/_components/ui/radio-group';
import { toFieldErrors } from '@/app/_trpc/errors';
import { type CreateMonitorInput, isPassive, type Monitor, MonitorType } from '@/server/monitor-types/schema';
import { ChannelsField } from './channels-field';
import { ConfirmFields } from './confirm-fields';
import { ChoiceField, FormPart, NumberChoiceField, TextField, Two, useFieldError } from './fields';
import { fieldOf, monitorForm } from './form-schema';
import { IntervalField } from './interval-field';
import { toFields } from './model';
import type { MonitorFields } from './monitor-fields';
import { RegionsField } from './regions-field';
import { formOf } from './types';

const types = MonitorType.options.map((value) => {
  const { label, note } = formOf(value);
  return { value, label, note };
});

const failures = Array.from({ length: 10 }, (_, index) => ({
  value: index + 1,
  label: index === 0 ? '1 failing check' : `${index + 1} failing checks`,
}));

export interface MonitorFormProps {
  /** The monitor to edit; without one the form creates a monitor, of `type` at first. */
  monitor?: Monitor;
  edit?: EditedVersion;
  type?: MonitorType;
  /** Where Discard leads. */
  backTo: string;
  /** Saves the monitor; the form shows its errors at the fields. */
  onSave: (input: CreateMonitorInput) => Promise<void>;
}

/** Whether a field is in the section that is closed at first: an error there opens it. */
function isAdvanced(field: string, type: MonitorType): boolean {
  if (/^(externalId|confirm\.(re|degraded))/.test(field)) return true;
  const [first, name = ''] = field.split('.');
  return first === type && (formOf(type).advanced ?? []).includes(name);
}

/** The form for new and for existing monitors. */
export function MonitorForm({ monitor, edit, type = 'http', backTo, onSave }: MonitorFormProps) {
  const form = useForm<MonitorFields, unknown, CreateMonitorInput>({
    defaultValues: toFields(type, monitor),
    resolver: zodResolver(monitorForm(monitor?.config)),
    mode: 'onTouched',
    shouldFocusError: false,
  });
  const unsaved = useUnsaved(form, { edit });
  const element = useFirstError(form.formState.submitCount);
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const chosen = useWatch({ control: form.control, name: 'type' });

  const openAdvanced = (fields: string[]) => {
    if (fields.some((field) => isAdvanced(field, form.getValues('type')))) setOpen(true);
  };
  const onInvalid: SubmitErrorHandler<MonitorFields> = (errors) => {
    setFailure(errors.root?.message ?? null);
    openAdvanced(leaves(errors));
  };
  const onValid = async (input: CreateMonitorInput) => {
    setFailure(null);
    try {
      await onSave(input);
    } catch (error) {
      const placed: string[] = [];
      const placeOf = (path: string) => {
        const field = fieldOf(input.type, path);
        if (field) placed.push(field);
        return field;
      };
      setFailure(toFieldErrors(error, form.setError, placeOf));
      openAdvanced(placed);
    }
  };
  const { Target, Timing = IntervalAndTimeout, upWhen, Expected, Speed, Advanced, advancedTitle } = formOf(chosen);
  const isChecked = !isPassive(chosen);
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
                <RadioGroup
                  legend="Monitor type"
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
        <FormPart title="Up when" note={upWhen}>
          {Expected ? <Expected /> : null}
          {isChecked ? (
            <Two>
              <NumberChoiceField name="confirm.failures" label="Down after" options={failures} />
              {Speed ? <Speed /> : null}
            </Two>
          ) : null}
        </FormPart>
        {isChecked ? <RegionsField /> : null}
        <FormPart title="Notifications">
          <ChannelsField />
          <ChoiceField
            name="severity"
            label="Severity of downtime"
            options={severityOptions}
            help="Shown with each incident. Channels can be limited to a minimum severity."
          />
        </FormPart>
        <div className="border-t py-4">
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-8 items-center gap-2 text-left font-medium"
          >
            <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
            {isChecked ? `${advancedTitle ?? 'Confirmation'}, external ID` : 'External ID'}
          </button>
          {open ? (
            <div className="grid gap-5 pt-4">
              {Advanced ? <Advanced /> : null}
              {isChecked ? <ConfirmFields /> : null}
              <TextField
                name="externalId"
                label="External ID"
                mono
                optional
                autoComplete="off"
                help="Your own unique ID for this monitor."
              />
            </div>
          ) : null}
        </div>
        {failure ? (
          <Alert state="down" role="alert" className="mb-4">
            {failure}
          </Alert>
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

/** How often the monitor is checked, and how long a check may take. */
function IntervalAndTimeout({ current }: { current: number | undefined }) {
  return (
    <Two>
      <IntervalField label="Check interval" current={current} />
      <TextField name="timeout" label="Timeout" help="At most 60 s." />
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
