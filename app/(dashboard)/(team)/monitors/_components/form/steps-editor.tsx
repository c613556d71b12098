'use client';

import { useState } from 'react';
import { Controller, get, useFieldArray, useFormContext, useFormState, useWatch } from 'react-hook-form';
import { useRemove } from '@/app/_components/forms/use-remove';
import { Button } from '@/app/_components/ui/button';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { SwitchRow } from '@/app/_components/ui/switch';
import { Textarea } from '@/app/_components/ui/textarea';
import { type Extraction, HttpConfig } from '@/server/monitor-types/schema';
import { completeTemplate, type StepField, toStepField } from './field-kinds';
import { ListError, useFieldError } from './fields';
import { HeadersEditor } from './headers-editor';
import type { ConfigName } from './monitor-fields';
import { RulesEditor } from './rules-editor';

/** The form fields that are lists of steps, and of values that a step takes. */
type Steps = Record<string, StepField[]>;
type Extractions = Record<string, Extraction[]>;
type StepPath = `${ConfigName}.${number}`;

const methods = HttpConfig.shape.method.unwrap().options.map((value) => ({ value, label: value }));

const sources: { value: Extraction['from']; label: string }[] = [
  { value: 'json', label: 'JSON value' },
  { value: 'header', label: 'Header' },
  { value: 'body', label: 'Pattern' },
];

const examples = { json: '$.access_token', header: 'x-csrf-token', body: 'name="csrf" value="([^"]+)"' };

/** Edits the requests of a monitor in their order. */
export function StepsEditor({ name }: { name: ConfigName }) {
  const { fields, append, move, ...list } = useFieldArray<Steps>({ name });
  const { addButton, remove } = useRemove(name, list.remove);
  return (
    <div className="grid justify-items-start gap-4">
      {fields.map((field, index) => (
        <StepEditor
          key={field.id}
          path={`${name}.${index}`}
          index={index}
          list={name}
          onRemove={fields.length > 1 ? () => remove(index) : null}
          onMoveUp={index > 0 ? () => move(index, index - 1) : null}
        />
      ))}
      <ListError name={name} />
      <Button ref={addButton} onClick={() => append(toStepField())}>
        <Icon name="plus" />
        Add step
      </Button>
    </div>
  );
}

interface StepEditorProps {
  path: StepPath;
  index: number;
  /** The name of the list that it is in. */
  list: string;
  /** Null if the step cannot be removed or moved. */
  onRemove: (() => void) | null;
  onMoveUp: (() => void) | null;
}

function StepEditor({ path, index, list, onRemove, onMoveUp }: StepEditorProps) {
  const { register } = useFormContext();
  const step = `step ${index + 1}`;
  return (
    <fieldset className="grid w-full min-w-0 grid-cols-[minmax(0,1fr)] gap-4 rounded-3 border p-4">
      <legend className="px-1 font-semibold">Step {index + 1}</legend>
      <Field label="Step name" error={useFieldError(`${path}.name`)}>
        <Input
          autoComplete="off"
          placeholder={index === 0 ? 'Log in' : 'Open the cart'}
          {...register(`${path}.name`)}
        />
      </Field>
      <StepUrl path={path} index={index} />
      <RequestFields path={path} step={step} />
      <ExtractionsEditor name={`${path}.extract`} step={step} />
      <div className="grid gap-2">
        <h3 className="font-medium">Rules</h3>
        <RulesEditor name={`${path}.assertions`} of={step} />
      </div>
      <div className="flex flex-wrap gap-2">
        {onMoveUp ? (
          <Button size="small" aria-label={`Move up ${step}`} onClick={onMoveUp}>
            Move up
          </Button>
        ) : null}
        {onRemove ? (
          <Button size="small" data-removes={list} aria-label={`Remove ${step}`} onClick={onRemove}>
            Remove step
          </Button>
        ) : null}
      </div>
    </fieldset>
  );
}

function StepUrl({ path, index }: { path: StepPath; index: number }) {
  const { register, setValue, getValues } = useFormContext();
  const url = register(`${path}.url`);
  return (
    <Field
      label="URL"
      error={useFieldError(`${path}.url`)}
      help={index > 0 ? 'Use {{name}} for a value of an earlier step or a variable.' : undefined}
    >
      <div className="flex">
        <Controller
          name={`${path}.method`}
          render={({ field }) => (
            <Select
              aria-label={`Method of step ${index + 1}`}
              aria-invalid={false}
              id={`${path}.method`}
              mono
              options={methods}
              value={field.value}
              onValueChange={field.onChange}
              className="w-[112px] shrink-0 rounded-r-none bg-sunken sm:w-[104px]"
            />
          )}
        />
        <Input
          {...url}
          onBlur={(event) => {
            const typed: string = getValues(`${path}.url`);
            const complete = completeTemplate(typed);
            if (complete !== typed) setValue(`${path}.url`, complete, { shouldDirty: true });
            return url.onBlur(event);
          }}
          mono
          inputMode="url"
          autoComplete="off"
          placeholder={index === 0 ? 'https://northwind.example/login' : 'https://northwind.example/orders/{{order}}'}
          className="-ml-px rounded-l-none"
        />
      </div>
    </Field>
  );
}

/** The parts of a request that many steps do not need: closed at first, unless they have values or an error. */
function RequestFields({ path, step }: { path: StepPath; step: string }) {
  const { register, getValues } = useFormContext();
  const [isOpen, setOpen] = useState(() => {
    const { body, headers, expectedStatus, followRedirects }: StepField = getValues(path);
    return body !== '' || headers.length > 0 || expectedStatus !== '200-299' || !followRedirects;
  });
  const errors = {
    headers: useFieldError(`${path}.headers`),
    body: useFieldError(`${path}.body`),
    expectedStatus: useFieldError(`${path}.expectedStatus`),
  };
  const isShown = isOpen || Object.values(errors).some((error) => error !== undefined);
  return (
    <div className="grid gap-4">
      <button
        type="button"
        aria-expanded={isShown}
        aria-label={`Headers, body, status codes of ${step}`}
        onClick={() => setOpen(!isShown)}
        className="flex min-h-8 items-center gap-2 text-left font-medium"
      >
        <Icon name={isShown ? 'chevron-down' : 'chevron-right'} small />
        Headers, body, status codes
      </button>
      {isShown ? (
        <>
          <HeadersEditor name={`${path}.headers`} of={step} />
          <Field label="Body" error={errors.body} optional>
            <Textarea
              mono
              placeholder={'{"email": "probe@northwind.example", "password": "{{password}}"}'}
              {...register(`${path}.body`)}
            />
          </Field>
          <Field
            label="Expected status codes"
            error={errors.expectedStatus}
            help="Codes and ranges: 200-299, 301. A rule about the status code replaces them."
          >
            <Input mono autoComplete="off" {...register(`${path}.expectedStatus`)} />
          </Field>
          <Controller
            name={`${path}.followRedirects`}
            render={({ field }) => (
              <SwitchRow checked={field.value} onCheckedChange={field.onChange}>
                Follow redirects
              </SwitchRow>
            )}
          />
        </>
      ) : null}
    </div>
  );
}

/** Edits the values that a step takes from its response. */
function ExtractionsEditor({ name, step }: { name: ConfigName; step: string }) {
  const { fields, append, ...list } = useFieldArray<Extractions>({ name });
  const { addButton, remove } = useRemove(name, list.remove);
  return (
    <div className="grid justify-items-start gap-2">
      <h3 className="font-medium">Values for later steps</h3>
      {fields.length > 0 ? (
        <ul aria-label={`Values of ${step}`} className="w-full divide-y rounded-3 border">
          {fields.map((field, index) => (
            <ExtractionRow
              key={field.id}
              path={`${name}.${index}`}
              title={`Value ${index + 1} of ${step}`}
              list={name}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      ) : null}
      <ListError name={name} />
      <Button ref={addButton} size="small" onClick={() => append({ name: '', from: 'json', expression: '' })}>
        <Icon name="plus" small />
        Add value
      </Button>
    </div>
  );
}

function ExtractionRow({
  path,
  title,
  list,
  onRemove,
}: {
  path: `${ConfigName}.${number}`;
  title: string;
  /** The name of the list that it is in. */
  list: string;
  onRemove: () => void;
}) {
  const { register, setValue } = useFormContext();
  const value: Extraction = useWatch({ name: path });
  // The library validates the whole list when a value is added, so errors of empty fields wait until the form was submitted.
  const { errors, isSubmitted } = useFormState();
  const errorOf = (field: 'name' | 'expression'): string | undefined =>
    isSubmitted || value[field] !== '' ? get(errors, `${path}.${field}.message`) : undefined;
  const [nameError, expressionError] = [errorOf('name'), errorOf('expression')];
  const error = nameError ?? expressionError;
  return (
    <li className="grid gap-2 p-2">
      <div className="flex flex-wrap items-start gap-2">
        <Input
          mono
          autoComplete="off"
          aria-label={`${title}: name`}
          aria-invalid={nameError ? true : undefined}
          placeholder="token"
          className="w-auto min-w-24 flex-1"
          {...register(`${path}.name`)}
        />
        <span className="w-[136px]">
          <Select
            aria-label={`${title}: source`}
            options={sources}
            value={value.from}
            onValueChange={(from) => setValue(`${path}.from`, from, { shouldDirty: true })}
          />
        </span>
        <Input
          mono
          autoComplete="off"
          aria-label={`${title}: expression`}
          aria-invalid={expressionError ? true : undefined}
          placeholder={examples[value.from]}
          className="w-auto min-w-32 flex-[2]"
          {...register(`${path}.expression`)}
        />
        <Button
          variant="ghost"
          square
          aria-label={`Remove ${title.toLowerCase()}`}
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
