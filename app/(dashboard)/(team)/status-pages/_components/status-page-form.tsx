'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import Link from 'next/link';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import type { NamedMonitor } from '@/app/_components/monitors/find-monitor';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SwitchRow } from '@/app/_components/ui/switch';
import { Textarea } from '@/app/_components/ui/textarea';
import { readApiError, toFieldErrors } from '@/app/_trpc/errors';
import { pageOrder, type StatusPage, type StatusPageComponent, StatusPageFields } from '@/server/status-pages/schema';
import type { ComponentTask } from './component-dialogs';
import { MonitorsField } from './monitors-field';
import { SlugField } from './slug-field';
import { suggestSlug } from './suggest-slug';

const fields = ['title', 'slug', 'description', 'isPublic', 'monitorIds', 'displayNames', 'order'] as const;

export interface StatusPageFormProps {
  /** The page to edit; undefined for a new one. */
  page?: StatusPage;
  edit?: EditedVersion;
  monitors?: NamedMonitor[];
  /** The current components of the page, which do not belong to the edited version. */
  components?: StatusPageComponent[];
  onComponent?: (task: ComponentTask) => void;
  /** Saves the page; its errors are shown at the fields. */
  onSave: (input: StatusPageFields) => Promise<void>;
}

/** The form to create or edit a status page. */
export function StatusPageForm(props: StatusPageFormProps) {
  const { page, edit, monitors = [], components = [], onComponent, onSave } = props;
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    resolver: zodResolver(StatusPageFields),
    ...whenTouched,
    defaultValues: {
      slug: page?.slug ?? '',
      title: page?.title ?? '',
      description: page?.description ?? '',
      isPublic: page?.isPublic ?? true,
      monitorIds: page?.monitorIds ?? [],
      displayNames: page?.displayNames ?? {},
      order: page?.order ?? [],
    },
  });
  const unsaved = useUnsaved(form, { edit });
  const { control, register, setError, setValue, formState } = form;
  const { errors, dirtyFields, isSubmitting } = formState;
  const slug = useWatch({ control, name: 'slug' });
  const isPublic = useWatch({ control, name: 'isPublic' });
  const monitorIds = useWatch({ control, name: 'monitorIds' }) ?? [];
  const displayNames = useWatch({ control, name: 'displayNames' }) ?? {};
  const former = useWatch({ control, name: 'order' }) ?? [];
  const componentIds = components.map(({ id }) => id);
  // Drops deleted components and appends new ones.
  const order = pageOrder(former, { monitorIds, componentIds, given: [] });
  const isMonitor = (id: string) => !componentIds.includes(id);

  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      await onSave({ ...values, monitorIds: order.filter(isMonitor), order });
    } catch (error) {
      const { code, message } = readApiError(error);
      if (code === 'SLUG_TAKEN') setError('slug', { type: 'server', message }, { shouldFocus: true });
      else setFailure(toFieldErrors(error, setError, fields));
    }
  });
  const isNew = page === undefined;
  // The slug follows the title until the user edits the slug.
  const follow = (event: React.ChangeEvent<HTMLInputElement>) => {
    if (isNew && !dirtyFields.slug) setValue('slug', suggestSlug(event.target.value));
  };

  return (
    <form
      aria-label={isNew ? 'New status page' : `Edit ${page.title}`}
      noValidate
      onSubmit={submit}
      className="grid max-w-[560px] content-start gap-5"
    >
      {unsaved}
      <Field label="Title" error={errors.title?.message}>
        <Input autoComplete="off" placeholder="Northwind Cloud" {...register('title', { onChange: follow })} />
      </Field>
      <SlugField slug={slug} own={page} error={errors.slug?.message} {...register('slug')} />
      <Field label="Description" optional error={errors.description?.message} help="Shown below the title.">
        <Textarea {...register('description')} />
      </Field>
      <MonitorsField
        known={monitors}
        components={components}
        value={order}
        onValueChange={(ids) => {
          setValue('order', ids, { shouldDirty: true });
          setValue('monitorIds', ids.filter(isMonitor), { shouldDirty: true });
        }}
        displayNames={displayNames}
        onDisplayNamesChange={(names) => setValue('displayNames', names, { shouldDirty: true })}
        onComponent={onComponent}
        error={errors.monitorIds?.message ?? errors.order?.message ?? errors.displayNames?.root?.message}
        nameErrors={errors.displayNames ?? {}}
      />
      <div className="border-t pt-4">
        <Controller
          control={control}
          name="isPublic"
          render={({ field }) => (
            <SwitchRow checked={field.value ?? true} onCheckedChange={field.onChange}>
              Public: anyone with the link can view this page
            </SwitchRow>
          )}
        />
        <p className="text-small text-muted">
          {isPublic
            ? 'The page shows names, statuses and incidents. It never shows URLs or check results.'
            : 'Private: the page, its feeds and its badge return “not found”.'}
        </p>
      </div>
      <FormProblem>{failure}</FormProblem>
      <div className="flex items-center gap-2 border-t pt-5">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {isNew ? 'Create status page' : 'Save changes'}
        </Button>
        <Button asChild variant="ghost">
          <Link href="/status-pages">Discard</Link>
        </Button>
      </div>
    </form>
  );
}
