'use client';

import { get, useFormContext } from 'react-hook-form';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { EscalationTarget } from '@/server/on-call/schema';
import type { PolicyFields } from './policy-fields';
import { useTargets } from './use-targets';

export interface StepFieldsProps {
  index: number;
  /** Null if the step cannot be removed or moved. */
  onRemove: (() => void) | null;
  onMoveUp: (() => void) | null;
}

const keyOf = ({ type, id }: EscalationTarget) => `${type}:${id}`;

/** The fields of a step: whom it notifies, and how long it waits for an acknowledgment. */
export function StepFields({ index, onRemove, onMoveUp }: StepFieldsProps) {
  const { register, watch, setValue, formState } = useFormContext<PolicyFields>();
  const { options, words } = useTargets();
  const path = `steps.${index}` as const;
  const errorOf = (field: string): string | undefined => get(formState.errors, `${path}.${field}.message`);
  const targets = watch(`${path}.targets`);
  const set = (next: EscalationTarget[]) =>
    setValue(`${path}.targets`, next, { shouldDirty: true, shouldValidate: true });
  const left = options.filter(({ target }) => !targets.some((each) => keyOf(each) === keyOf(target)));
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-3 border p-4">
      <legend className="px-1 font-semibold">Step {index + 1}</legend>
      <Field label="Notify" error={errorOf('targets')}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {targets.length > 0 ? (
            <ul aria-label={`Notified by step ${index + 1}`} className="flex flex-wrap gap-2">
              {targets.map((target) => {
                const { name, note } = words(target);
                return (
                  <li
                    key={keyOf(target)}
                    className="inline-flex max-w-full items-center gap-2 rounded-2 border bg-sunken px-2 py-1 [overflow-wrap:anywhere]"
                  >
                    <span className="font-medium">{name}</span>
                    <span className="text-small text-muted">{note}</span>
                    <Button
                      size="small"
                      variant="ghost"
                      square
                      aria-label={`Remove ${name} from step ${index + 1}`}
                      onClick={() => set(targets.filter((each) => keyOf(each) !== keyOf(target)))}
                    >
                      <Icon name="x" small />
                    </Button>
                  </li>
                );
              })}
            </ul>
          ) : null}
          <Select
            aria-label={`Add a person, schedule or channel to step ${index + 1}`}
            options={[
              { value: 'none', label: 'Add a person, schedule or channel…', disabled: true },
              ...left.map(({ target, label }) => ({ value: keyOf(target), label })),
            ]}
            value="none"
            onValueChange={(key) => {
              const found = options.find(({ target }) => keyOf(target) === key);
              if (found) set([...targets, found.target]);
            }}
          />
        </div>
      </Field>
      <Field label="Wait (min)" error={errorOf('waitMinutes')}>
        <Input
          type="number"
          min={1}
          className="max-w-28"
          {...register(`${path}.waitMinutes`, { valueAsNumber: true })}
        />
      </Field>
      <div className="flex gap-2">
        {onMoveUp ? (
          <Button size="small" aria-label={`Move up step ${index + 1}`} onClick={onMoveUp}>
            Move up
          </Button>
        ) : null}
        {onRemove ? (
          <Button size="small" data-removes="steps" aria-label={`Remove step ${index + 1}`} onClick={onRemove}>
            Remove step
          </Button>
        ) : null}
      </div>
    </fieldset>
  );
}
