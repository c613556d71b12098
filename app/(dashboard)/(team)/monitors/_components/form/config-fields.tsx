'use client';

import { Fragment, useEffect } from 'react';
import { get, useFormContext, useFormState, useWatch } from 'react-hook-form';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { completeAddress, definitionOf, type FormField, type MonitorType } from '@/server/monitor-types/schema';
import { AreaField, ChoiceField, SwitchField, TextField, Two, useFieldError } from './fields';
import { HeadersEditor, PairsEditor } from './headers-editor';
import { IntervalField } from './interval-field';
import { configFieldsOf, isShown, type MonitorFields, nameOf } from './monitor-fields';
import { RulesEditor } from './rules-editor';
import { StepsEditor } from './steps-editor';

type Entry = [path: string, field: FormField];

/** Suggests a name from the target until the user enters one. */
export function SuggestedName({ type }: { type: MonitorType }) {
  const { setValue, formState } = useFormContext<MonitorFields>();
  const isNamed = formState.dirtyFields.name === true;
  const own = useWatch<MonitorFields, MonitorType>({ name: type });
  const name = definitionOf(type).form.suggestName?.(own as Record<string, string>);
  useEffect(() => {
    if (name !== undefined && !isNamed) setValue('name', name.slice(0, 120));
  }, [isNamed, name, setValue]);
  return null;
}

/** Groups fields into rows: two halves share a row, and a narrow field joins the row before it. */
function toRows(entries: Entry[]): Entry[][] {
  const rows: Entry[][] = [];
  for (const entry of entries) {
    const [, { width }] = entry;
    const last = rows.at(-1);
    const isBesideHalf = width === 'half' && last?.length === 1 && last[0]?.[1].width === 'half';
    if (last && (width === 'narrow' || isBesideHalf)) last.push(entry);
    else rows.push([entry]);
  }
  return rows;
}

/** The fields of one group of a type's config, as described by its definition. */
export function ConfigFields({ type, group }: { type: MonitorType; group: FormField['group'] }) {
  const own = useWatch<MonitorFields, MonitorType>({ name: type });
  const all = configFieldsOf(type);
  const shown = all.filter(([path, field]) => {
    return field.group === group && isShown(field, own) && !all.some(([, { prefix }]) => prefix === path);
  });
  return toRows(shown).map((row) => {
    const inputs = row.map(([path, field]) => {
      // The key contains the type, because an input that is reused for another type's field would keep its value.
      return <ConfigInput key={nameOf(type, path)} type={type} path={path} field={field} />;
    });
    const key = row[0]?.[0];
    switch (row.at(-1)?.[1].width) {
      case 'half':
        return <Two key={key}>{inputs}</Two>;
      case 'narrow':
        return (
          <div key={key} className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
            {inputs}
          </div>
        );
      default:
        return <Fragment key={key}>{inputs}</Fragment>;
    }
  });
}

interface ConfigInputProps {
  type: MonitorType;
  path: string;
  field: FormField;
}

const KEPT = 'Stored encrypted. Leave unchanged to keep it. Required again if the monitor connects to another server.';

/** The help of a field. For a stored credential, it says how to keep it. */
function useHelp({ type, path, field }: ConfigInputProps): string | undefined {
  const { defaultValues } = useFormState<MonitorFields>();
  if (get(definitionOf(type).secrets, path) !== 'credential') return field.help;
  return get(defaultValues, nameOf(type, path)) ? KEPT : 'Stored encrypted.';
}

function ConfigInput(props: ConfigInputProps) {
  const { type, path, field } = props;
  const { kind, label, optional, placeholder, mono = kind !== 'number' && kind !== 'duration', options = [] } = field;
  const name = nameOf(type, path);
  const labelled = { name, label, optional, help: useHelp(props) };
  const text = { ...labelled, mono, placeholder, autoComplete: 'off' };
  switch (kind) {
    case 'headers':
      return <HeadersEditor name={name} />;
    case 'assertions':
      return <RulesEditor name={name} />;
    case 'steps':
      return <StepsEditor name={name} />;
    case 'variables':
      return <PairsEditor name={name} label={label} one="variable" help={field.help} example={['password', '']} />;
    case 'interval':
      return <IntervalField label={label} />;
    case 'url':
      return <UrlInput {...props} />;
    case 'switch':
      return <SwitchField name={name} label={label} />;
    case 'select':
      return <ChoiceField {...labelled} options={options.map((each) => ({ ...each, value: String(each.value) }))} />;
    case 'multiline':
    case 'lines':
      return <AreaField {...labelled} placeholder={placeholder} />;
    case 'number':
      return <TextField {...text} inputMode="numeric" />;
    case 'text':
    case 'verbatim':
    case 'list':
    case 'duration':
      return <TextField {...text} />;
    default:
      return kind satisfies never;
  }
}

/** A URL field that is completed on blur, with the select of its `prefix` in front. */
function UrlInput({ type, path, field }: ConfigInputProps) {
  const { label, help, optional, placeholder, prefix, scheme } = field;
  const { register, setValue, getValues } = useFormContext<MonitorFields>();
  const name = nameOf(type, path);
  const url = register(name);
  return (
    <Field label={label} help={help} error={useFieldError(name)} {...(optional && { optional })}>
      <div className="flex">
        {prefix ? <UrlPrefix type={type} path={prefix} /> : null}
        <Input
          {...url}
          onBlur={(event) => {
            const complete = completeAddress(String(getValues(name)), scheme);
            if (complete !== getValues(name)) setValue(name, complete, { shouldDirty: true });
            return url.onBlur(event);
          }}
          mono
          inputMode="url"
          autoComplete="off"
          placeholder={placeholder}
          className={prefix && '-ml-px rounded-l-none'}
        />
      </div>
    </Field>
  );
}

function UrlPrefix({ type, path }: { type: MonitorType; path: string }) {
  const { setValue } = useFormContext<MonitorFields>();
  const name = nameOf(type, path);
  const value = String(useWatch<MonitorFields>({ name }));
  const { label = '', options = [] } = definitionOf(type).form.fields[path] ?? {};
  return (
    <Select
      aria-label={label}
      aria-invalid={false}
      id={path}
      mono
      options={options.map((each) => ({ ...each, value: String(each.value) }))}
      value={value}
      onValueChange={(chosen) => setValue(name, chosen, { shouldDirty: true })}
      className="w-[112px] shrink-0 rounded-r-none bg-sunken sm:w-[104px]"
    />
  );
}
