'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import Link from 'next/link';
import { useState } from 'react';
import { Controller, type FieldPath, FormProvider, useFieldArray, useForm, useFormContext } from 'react-hook-form';
import { z } from 'zod';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { TagInput } from '@/app/_components/forms/tag-input';
import { type EditedVersion, useUnsaved } from '@/app/_components/forms/use-unsaved';
import { ChosenMonitors } from '@/app/_components/monitors/chosen-monitors';
import { Button } from '@/app/_components/ui/button';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { SwitchRow } from '@/app/_components/ui/switch';
import { toFieldErrors } from '@/app/_trpc/errors';
import { CreatePolicyInput, type EscalationPolicy, EscalationStep, whyNoMonitor } from '@/server/on-call/schema';
import { severityOptions } from './on-call-words';
import { PolicyPreview } from './policy-preview';
import { StepFields } from './step-fields';

const Fields = z.object({
  name: CreatePolicyInput.shape.name,
  steps: z.array(EscalationStep).min(1, 'Add at least one step.').max(10, 'Add at most 10 steps.'),
  repeat: z.string(),
  minSeverity: z.enum(['minor', 'warning', 'critical']),
  isAll: z.boolean(),
  monitorIds: z.array(z.string()),
  tags: z.array(z.string()),
});
export type PolicyFields = z.infer<typeof Fields>;

const policyForm = Fields.superRefine(({ isAll, monitorIds, tags }, ctx) => {
  if (isAll || whyNoMonitor(monitorIds, tags) === null) return;
  ctx.addIssue({ code: 'custom', path: ['monitorIds'], message: 'Select at least one monitor or tag.' });
}).transform(
  ({ isAll, monitorIds, tags, repeat, ...rest }): CreatePolicyInput => ({
    ...rest,
    repeat: Number(repeat),
    monitorIds: isAll ? null : monitorIds,
    tags: isAll ? [] : tags,
  }),
);

export interface PolicyFormProps {
  policy?: EscalationPolicy;
  edit?: EditedVersion;
  /** Saves the policy; the form shows its errors at the fields. */
  onSave: (input: CreatePolicyInput) => Promise<void>;
}

const repeats = Array.from({ length: 10 }, (_, count) => ({
  value: String(count),
  label: count === 0 ? 'No, stop after the last step' : count === 1 ? 'Once more' : `${count} more times`,
}));

/** The nearest field of an issue's path: one of a target is shown at its step. */
function policyFieldOf(path: string): FieldPath<PolicyFields> | null {
  const [, step] = /^(steps\.\d+\.targets)/.exec(path) ?? [];
  if (step) return step as FieldPath<PolicyFields>;
  return /^(name|tags|monitorIds|steps)/.test(path) ? (path as FieldPath<PolicyFields>) : null;
}

/** The form for new and for existing escalation policies, with a preview. */
export function PolicyForm({ policy, edit, onSave }: PolicyFormProps) {
  const form = useForm<PolicyFields, unknown, CreatePolicyInput>({
    defaultValues: {
      name: policy?.name ?? '',
      steps: policy?.steps ?? [{ targets: [], waitMinutes: 5 }],
      repeat: String(policy?.repeat ?? 0),
      minSeverity: policy?.minSeverity ?? 'minor',
      isAll: policy ? policy.monitorIds === null : true,
      monitorIds: policy?.monitorIds ?? [],
      tags: policy?.tags ?? [],
    },
    resolver: zodResolver(policyForm),
    mode: 'onTouched',
  });
  const unsaved = useUnsaved(form, { edit });
  const steps = useFieldArray({ control: form.control, name: 'steps' });
  const [failure, setFailure] = useState<string | null>(null);
  const submit = form.handleSubmit(async (input) => {
    setFailure(null);
    try {
      await onSave(input);
    } catch (error) {
      setFailure(toFieldErrors(error, form.setError, policyFieldOf));
    }
  });
  const { errors, isSubmitting } = form.formState;
  return (
    <FormProvider {...form}>
      <div className="grid gap-8 xl:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
        <form
          aria-label={policy ? `Edit ${policy.name}` : 'New escalation policy'}
          noValidate
          onSubmit={submit}
          className="grid content-start gap-6"
        >
          {unsaved}
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Name" error={errors.name?.message}>
              <Input autoComplete="off" placeholder="Payments" {...form.register('name')} />
            </Field>
            <Field label="Starts for">
              <Controller
                control={form.control}
                name="minSeverity"
                render={({ field }) => (
                  <Select options={severityOptions} value={field.value} onValueChange={field.onChange} />
                )}
              />
            </Field>
          </div>
          <Scope />
          <fieldset className="grid min-w-0 gap-3">
            <legend className="mb-3 text-lead font-semibold">Steps</legend>
            {steps.fields.map((step, index) => (
              <StepFields
                key={step.id}
                index={index}
                onRemove={steps.fields.length > 1 ? () => steps.remove(index) : null}
                onMoveUp={index > 0 ? () => steps.move(index, index - 1) : null}
              />
            ))}
            <div>
              <Button onClick={() => steps.append({ targets: [], waitMinutes: 10 })}>
                <Icon name="plus" />
                Add step
              </Button>
            </div>
          </fieldset>
          <Field label="Repeat" help="If nobody acknowledges, all steps are taken again.">
            <Controller
              control={form.control}
              name="repeat"
              render={({ field }) => <Select options={repeats} value={field.value} onValueChange={field.onChange} />}
            />
          </Field>
          <FormProblem>{failure}</FormProblem>
          <div className="flex flex-wrap items-center gap-2 border-t pt-5">
            <Button type="submit" variant="primary" busy={isSubmitting}>
              {policy ? 'Save policy' : 'Create policy'}
            </Button>
            <Button asChild variant="ghost">
              <Link href="/on-call/escalation-policies">Discard</Link>
            </Button>
          </div>
        </form>
        <PolicyPreview steps={form.watch('steps')} repeat={Number(form.watch('repeat'))} />
      </div>
    </FormProvider>
  );
}

function Scope() {
  const { control, watch, setValue, formState } = useFormContext<PolicyFields>();
  const { errors } = formState;
  const choose = (monitorIds: string[]) =>
    setValue('monitorIds', monitorIds, { shouldDirty: true, shouldValidate: true });
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-3 text-lead font-semibold">Incidents</legend>
      <Controller
        control={control}
        name="isAll"
        render={({ field }) => (
          <SwitchRow checked={field.value} onCheckedChange={field.onChange}>
            All incidents that no more specific policy covers
          </SwitchRow>
        )}
      />
      {watch('isAll') ? null : (
        <>
          <ChosenMonitors ids={watch('monitorIds')} onChange={choose} />
          <Field label="Tags" optional error={errors.tags?.message} help="All monitors with one of these tags.">
            <Controller
              control={control}
              name="tags"
              render={({ field }) => (
                <TagInput
                  value={field.value}
                  onValueChange={field.onChange}
                  onBlur={field.onBlur}
                  placeholder="payments"
                />
              )}
            />
          </Field>
          {errors.monitorIds ? <FieldError>{errors.monitorIds.message}</FieldError> : null}
        </>
      )}
    </fieldset>
  );
}
