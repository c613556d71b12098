'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import Link from 'next/link';
import { Controller, type FieldPath, useFieldArray, useForm } from 'react-hook-form';
import { FormProblem } from '@/app/_components/forms/form-problem';
import { SaveForm } from '@/app/_components/forms/save-form';
import { useRemove } from '@/app/_components/forms/use-remove';
import type { EditedVersion } from '@/app/_components/forms/use-unsaved';
import { whenTouched } from '@/app/_components/forms/when-touched';
import { ScopeField } from '@/app/_components/monitors/scope-field';
import { checkScope, toScope, toScopeFields } from '@/app/_components/monitors/scope-model';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { CreatePolicyInput, EscalationPolicy } from '@/server/on-call/schema';
import { severityOptions } from './on-call-words';
import { Fields, type PolicyFields } from './policy-fields';
import { PolicyPreview } from './policy-preview';
import { StepFields } from './step-fields';

const policyForm = Fields.superRefine(checkScope).transform(
  ({ isAll, monitorIds, tags, repeat, ...rest }): CreatePolicyInput => ({
    ...rest,
    repeat: Number(repeat),
    ...toScope({ isAll, monitorIds, tags }),
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

/** The field that shows an issue. Issues of a target are shown at its step. */
function policyFieldOf(path: string): FieldPath<PolicyFields> | null {
  const [field] = /^(name|tags|monitorIds|steps\.\d+\.(targets|waitMinutes)|steps)/.exec(path) ?? [];
  return (field as FieldPath<PolicyFields> | undefined) ?? null;
}

/** The form to create or edit an escalation policy, with a preview. */
export function PolicyForm({ policy, edit, onSave }: PolicyFormProps) {
  const form = useForm<PolicyFields, unknown, CreatePolicyInput>({
    defaultValues: {
      name: policy?.name ?? '',
      steps: policy?.steps ?? [{ targets: [], waitMinutes: 5 }],
      repeat: String(policy?.repeat ?? 0),
      minSeverity: policy?.minSeverity ?? 'minor',
      ...toScopeFields(policy, true),
    },
    resolver: zodResolver(policyForm),
    ...whenTouched,
    shouldFocusError: false,
  });
  const steps = useFieldArray({ control: form.control, name: 'steps' });
  const { addButton, remove } = useRemove('steps', steps.remove);
  const { errors } = form.formState;
  return (
    <div className="grid gap-8 xl:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
      <SaveForm
        form={form}
        label={policy ? `Edit ${policy.name}` : 'New escalation policy'}
        verb={policy ? 'Save policy' : 'Create policy'}
        edit={edit}
        fieldOf={policyFieldOf}
        onSave={onSave}
        actions={
          <Button asChild variant="ghost">
            <Link href="/on-call/escalation-policies">Discard</Link>
          </Button>
        }
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" error={errors.name?.message}>
            <Input autoComplete="off" placeholder="Payments" {...form.register('name')} />
          </Field>
          <Field label="Minimum severity">
            <Controller
              control={form.control}
              name="minSeverity"
              render={({ field }) => (
                <Select options={severityOptions} value={field.value} onValueChange={field.onChange} />
              )}
            />
          </Field>
        </div>
        <ScopeField legend="Incidents" all="All incidents without a more specific policy" />
        <fieldset className="grid min-w-0 gap-3">
          <legend className="mb-3 text-lead font-semibold">Steps</legend>
          {steps.fields.map((step, index) => (
            <StepFields
              key={step.id}
              index={index}
              onRemove={steps.fields.length > 1 ? () => remove(index) : null}
              onMoveUp={index > 0 ? () => steps.move(index, index - 1) : null}
            />
          ))}
          <FormProblem>{errors.steps?.root?.message ?? null}</FormProblem>
          <div>
            <Button ref={addButton} onClick={() => steps.append({ targets: [], waitMinutes: 10 })}>
              <Icon name="plus" />
              Add step
            </Button>
          </div>
        </fieldset>
        <Field label="Repeat" help="If nobody acknowledges, all steps run again.">
          <Controller
            control={form.control}
            name="repeat"
            render={({ field }) => <Select options={repeats} value={field.value} onValueChange={field.onChange} />}
          />
        </Field>
      </SaveForm>
      <PolicyPreview steps={form.watch('steps')} repeat={Number(form.watch('repeat'))} />
    </div>
  );
}
