'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import { Controller, FormProvider, type SubmitErrorHandler, useForm, useWatch } from 'react-hook-form';
import { TagInput } from '@/app/_components/forms/tag-input';
import { useFirstError } from '@/app/_components/forms/use-first-error';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import { severityOptions } from '@/app/_components/incidents/incident-words';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Kbd, ModKey } from '@/app/_components/ui/kbd';
import { lazyPart } from '@/app/_components/ui/lazy-part';
import { RadioGroup } from '@/app/_components/ui/radio-group';
import { toFieldErrors } from '@/app/_trpc/errors';
import {
  type CreateMonitorInput,
  definitionOf,
  isPassive,
  type Monitor,
  MonitorType,
} from '@/server/monitor-types/schema';
import { ChannelsField } from './channels-field';
import { ConfigFields, SuggestedName } from './config-fields';
import { ChoiceField, FormPart, TextField, Two, useFieldError } from './fields';
import { errorPaths, fieldOf, isAdvanced, monitorForm } from './form-schema';
import { copyOf, curlFields, type MonitorFields, toFields } from './monitor-fields';
import type { CurlRequest } from './read-curl';
import { RegionsField } from './regions-field';

// Beside the form, so that the form itself is usable first.
const CurlDialog = lazyPart(() => import('./curl-dialog').then((module) => module.CurlDialog));
const TryPanel = dynamic(() => import('./try-panel').then((module) => module.TryPanel));

const types = MonitorType.options.map((value) => {
  const { label, note } = definitionOf(value).form;
  return { value, label, note };
});

export interface MonitorFormProps {
  /** The monitor to edit; without it, the form creates a monitor, initially of `type`. */
  monitor?: Monitor;
  edit?: EditedVersion;
  type?: MonitorType;
  /** The monitor that a new one is copied from. */
  copied?: Monitor | undefined;
  /** The page that Discard returns to. */
  backTo: string;
  /** Saves the monitor; the form shows its errors at the fields. */
  onSave: (input: CreateMonitorInput) => Promise<void>;
}

/** The form to create or edit a monitor. */
export function MonitorForm({ monitor, edit, type = 'http', copied, backTo, onSave }: MonitorFormProps) {
  const [copy] = useState(() => copied && copyOf(copied));
  const base = monitor ?? copy?.monitor;
  const form = useForm<MonitorFields, unknown, CreateMonitorInput>({
    defaultValues: toFields(type, base),
    resolver: zodResolver(monitorForm(base?.config)),
    ...whenTouched,
    shouldFocusError: false,
  });
  const unsaved = useUnsaved(form, { edit });
  const element = useFirstError(form.formState.submitCount);
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPasting, setPasting] = useState(false);
  const [pasted, setPasted] = useState<CurlRequest | null>(null);
  const chosen = useWatch({ control: form.control, name: 'type' });

  const openAdvanced = (fields: string[]) => {
    if (fields.some((field) => isAdvanced(form.getValues('type'), field))) setOpen(true);
  };
  const fillIn = (request: CurlRequest) => {
    for (const [name, value] of curlFields(request)) form.setValue(name, value, { shouldDirty: true });
    // Of the fields as they were.
    form.clearErrors();
    setPasted(request);
    setPasting(false);
    setOpen(true);
  };
  const onInvalid: SubmitErrorHandler<MonitorFields> = (errors) => {
    setFailure(errors.root?.message ?? null);
    openAdvanced(errorPaths(errors));
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
  const { upWhen, advanced = 'Confirmation' } = definitionOf(chosen).form;
  const isChecked = !isPassive(chosen);
  const submit = form.handleSubmit(onValid, onInvalid);
  const isNew = monitor === undefined;

  return (
    <FormProvider {...form}>
      <div className="grid gap-8 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)] xl:gap-10">
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
          {copied && copy ? (
            <Alert state="unknown" className="mb-4" title={`Copy of ${copied.name}`}>
              {copy.missing.length > 0
                ? `Secrets are not copied. Enter again: ${new Intl.ListFormat('en').format(copy.missing)}.`
                : 'Its external ID and its parent are not copied.'}
            </Alert>
          ) : null}
          {pasted ? (
            <Alert state="unknown" role="status" className="mb-4" title="Filled in from the cURL command">
              Read: {new Intl.ListFormat('en').format(['URL', ...pasted.read])}.
              {pasted.notes.length > 0
                ? ` Not carried over: ${new Intl.ListFormat('en').format(pasted.notes)}.`
                : ' Nothing was left out.'}
            </Alert>
          ) : null}
          {isNew ? (
            <div className="grid gap-3 pb-6">
              <Controller
                control={form.control}
                name="type"
                render={({ field }) => (
                  <TypeField
                    value={field.value}
                    onValueChange={field.onChange}
                    isInitiallyChosen={copy !== undefined}
                  />
                )}
              />
              {copy ? null : (
                <div className="flex flex-wrap gap-2">
                  <Button size="small" className="max-sm:h-9" onClick={() => setPasting(true)}>
                    Paste a cURL command
                  </Button>
                  <Button size="small" className="max-sm:h-9" asChild>
                    <Link href="/monitors/new/urls">Add several URLs</Link>
                  </Button>
                </div>
              )}
            </div>
          ) : null}
          <FormPart>
            {isNew && !copy ? <SuggestedName type={chosen} /> : null}
            <ConfigFields type={chosen} group="target" />
            <Two>
              <TextField name="name" label="Name" autoComplete="off" />
              <TagsField />
            </Two>
            <ConfigFields type={chosen} group="timing" />
          </FormPart>
          <FormPart title="Up when" note={upWhen}>
            <ConfigFields type={chosen} group="expected" />
            <ConfigFields type={chosen} group="threshold" />
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
              {isChecked ? `${advanced}, external ID` : 'External ID'}
            </button>
            {open ? (
              <div className="grid gap-5 pt-4">
                <ConfigFields type={chosen} group="advanced" />
                <ConfigFields type={chosen} group="confirmation" />
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
        {isPasting ? <CurlDialog onClose={() => setPasting(false)} onRead={fillIn} /> : null}
        <TryPanel monitorId={monitor?.id} stored={base?.config} onFaults={openAdvanced} />
      </div>
    </FormProvider>
  );
}

/** Focuses the first text field of the form, except on touch screens, where a keyboard would cover the page. */
function focusFirstField(inside: HTMLElement | null): void {
  if (window.matchMedia('(pointer: coarse)').matches) return;
  inside?.closest('form')?.querySelector<HTMLElement>('input:not([type=radio]):not([aria-hidden])')?.focus();
}

/** The choice of the type. Once one was chosen, only that one is shown, and the first field has the focus. */
function TypeField({
  value,
  onValueChange,
  isInitiallyChosen,
}: {
  value: MonitorType;
  onValueChange: (type: MonitorType) => void;
  isInitiallyChosen: boolean;
}) {
  const [isChosen, setChosen] = useState(isInitiallyChosen);
  const element = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isChosen || isFirst.current) focusFirstField(element.current);
    else element.current?.querySelector<HTMLElement>('input:checked')?.focus();
    isFirst.current = false;
  }, [isChosen]);
  const { label, note } = definitionOf(value).form;
  return (
    <div ref={element}>
      {isChosen ? (
        <div className="flex items-center gap-3 rounded-3 border px-3 py-2">
          <span className="min-w-0 grow">
            <span className="sr-only">Monitor type: </span>
            <b className="font-medium">{label}</b> <span className="text-small text-muted">{note}</span>
          </span>
          <Button size="small" aria-label="Change monitor type" onClick={() => setChosen(false)}>
            Change
          </Button>
        </div>
      ) : (
        <RadioGroup
          legend="Monitor type"
          name="type"
          options={types}
          value={value}
          onValueChange={onValueChange}
          onChosen={() => setChosen(true)}
        />
      )}
    </div>
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
