'use client';

import { Controller, useFieldArray, useFormContext, useFormState, useWatch } from 'react-hook-form';
import { useRemove } from '@/app/_components/forms/use-remove';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { RuleField } from './field-kinds';
import { ListError, useFieldError } from './fields';
import type { ConfigName } from './monitor-fields';

type RuleSource = RuleField['source'];
type RuleOperator = RuleField['operator'];
/** The form fields that are lists of rules. */
type Lists = Record<string, RuleField[]>;
type RulePath = `${ConfigName}.${number}`;

const sources: { value: RuleSource; label: string }[] = [
  { value: 'status', label: 'Status code' },
  { value: 'header', label: 'Header' },
  { value: 'body', label: 'Body' },
  { value: 'json', label: 'JSON value' },
  { value: 'latency', label: 'Response time (ms)' },
];

const operators: { value: RuleOperator; label: string }[] = [
  { value: 'equals', label: 'equals' },
  { value: 'notEquals', label: 'does not equal' },
  { value: 'contains', label: 'contains' },
  { value: 'notContains', label: 'does not contain' },
  { value: 'matches', label: 'matches' },
  { value: 'notMatches', label: 'does not match' },
  { value: 'lessThan', label: 'is less than' },
  { value: 'greaterThan', label: 'is greater than' },
  { value: 'exists', label: 'exists' },
  { value: 'notExists', label: 'does not exist' },
];

const every = operators.map(({ value }) => value);

const fitting: Record<RuleSource, RuleOperator[]> = {
  status: ['equals', 'notEquals', 'lessThan', 'greaterThan'],
  latency: ['lessThan', 'greaterThan'],
  header: every,
  body: ['contains', 'notContains', 'equals', 'notEquals', 'matches', 'notMatches', 'exists', 'notExists'],
  json: every,
};

/**
 * Edits the rules that a response must meet besides its status code.
 * @param of what they belong to, if the form has several lists
 */
export function RulesEditor({ name, of }: { name: ConfigName; of?: string }) {
  const { fields, append, ...list } = useFieldArray<Lists>({ name });
  const { addButton, remove } = useRemove(name, list.remove);
  return (
    <div className="grid justify-items-start gap-2">
      {fields.length > 0 ? (
        <ul aria-label={of === undefined ? 'Rules' : `Rules of ${of}`} className="w-full divide-y rounded-3 border">
          {fields.map((field, index) => (
            <RuleRow
              key={field.id}
              path={`${name}.${index}`}
              title={`Rule ${index + 1}${of === undefined ? '' : ` of ${of}`}`}
              list={name}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      ) : null}
      <ListError name={name} />
      <Button
        ref={addButton}
        size={of === undefined ? 'base' : 'small'}
        onClick={() => append({ source: 'body', property: '', operator: 'contains', value: '' })}
      >
        <Icon name="plus" />
        Add rule
      </Button>
    </div>
  );
}

interface RuleRowProps {
  path: RulePath;
  title: string;
  /** The name of the list that it is in. */
  list: string;
  onRemove: () => void;
}

function RuleRow({ path, title, list, onRemove }: RuleRowProps) {
  const { register, setValue, getValues } = useFormContext();
  const rule: RuleField = useWatch({ name: path });
  const property = useFieldError(`${path}.property`);
  const operator = useFieldError(`${path}.operator`);
  const value = useFieldError(`${path}.value`);
  const takesProperty = rule.source === 'header' || rule.source === 'json';
  const takesValue = rule.operator !== 'exists' && rule.operator !== 'notExists';
  // Keeps the stored operator as a choice, even if it does not fit the source.
  const offered = operators.filter((each) => fitting[rule.source].includes(each.value) || each.value === rule.operator);
  const choose = (source: RuleSource) => {
    setValue(`${path}.source`, source, { shouldDirty: true });
    const [first = 'equals'] = fitting[source];
    if (!fitting[source].includes(getValues(`${path}.operator`))) setValue(`${path}.operator`, first);
  };
  // The library validates the whole list when a rule is added, so errors of empty values wait until the form was submitted.
  const { isSubmitted } = useFormState();
  const shownProperty = isSubmitted || rule.property !== '' ? property : undefined;
  const shownValue = isSubmitted || rule.value !== '' ? value : undefined;
  const error = shownProperty ?? operator ?? shownValue;
  return (
    <li className="grid gap-2 p-2">
      <div className="flex flex-wrap items-start gap-2">
        <span className="w-[120px]">
          <Select aria-label={`${title}: source`} options={sources} value={rule.source} onValueChange={choose} />
        </span>
        {takesProperty ? (
          <Input
            mono
            aria-label={`${title}: ${rule.source === 'json' ? 'path' : 'header'}`}
            aria-invalid={shownProperty ? true : undefined}
            placeholder={rule.source === 'json' ? '$.status' : 'content-type'}
            className="w-auto min-w-28 flex-1"
            {...register(`${path}.property`)}
          />
        ) : null}
        <span className="w-[150px]">
          <Controller
            name={`${path}.operator`}
            render={({ field }) => (
              <Select
                aria-label={`${title}: operator`}
                options={offered}
                value={field.value}
                onValueChange={field.onChange}
              />
            )}
          />
        </span>
        {takesValue ? (
          <Input
            mono
            aria-label={`${title}: value`}
            aria-invalid={shownValue ? true : undefined}
            className="w-auto min-w-24 flex-1"
            {...register(`${path}.value`)}
          />
        ) : null}
        <Button
          variant="ghost"
          square
          aria-label={`Remove ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
          data-removes={list}
          onClick={onRemove}
          className="ml-auto"
        >
          <Icon name="x" />
        </Button>
      </div>
      {error ? <FieldError>{error}</FieldError> : null}
    </li>
  );
}
