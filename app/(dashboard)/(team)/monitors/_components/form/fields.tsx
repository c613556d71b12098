'use client';

import { Controller, get, useFormContext, useFormState } from 'react-hook-form';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input, type InputProps } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { SelectOption } from '@/app/_components/ui/select-content';
import { SwitchRow } from '@/app/_components/ui/switch';
import { Textarea } from '@/app/_components/ui/textarea';
import type { MonitorField, MonitorFields } from './monitor-fields';

/** The error of a field once it has lost the focus or the form was submitted. */
export function useFieldError(name: MonitorField): string | undefined {
  const { errors } = useFormState<MonitorFields>({ name });
  const message: unknown = get(errors, `${name}.message`) ?? get(errors, `${name}.root.message`);
  return typeof message === 'string' ? message : undefined;
}

interface Labelled {
  label: string;
  help?: string | undefined;
  optional?: boolean | undefined;
}

export function TextField({ name, label, help, optional, ...input }: Labelled & InputProps & { name: MonitorField }) {
  const { register } = useFormContext<MonitorFields>();
  const error = useFieldError(name);
  return (
    <Field label={label} help={help} error={error} {...(optional && { optional })}>
      <Input {...input} {...register(name)} />
    </Field>
  );
}

export function AreaField({
  name,
  label,
  help,
  optional,
  placeholder,
}: Labelled & { name: MonitorField; placeholder?: string | undefined }) {
  const { register } = useFormContext<MonitorFields>();
  const error = useFieldError(name);
  return (
    <Field label={label} help={help} error={error} {...(optional && { optional })}>
      <Textarea mono placeholder={placeholder} {...register(name)} />
    </Field>
  );
}

export function ChoiceField({
  name,
  label,
  help,
  options,
}: Labelled & { name: MonitorField; options: readonly SelectOption<string>[] }) {
  const error = useFieldError(name);
  return (
    <Field label={label} help={help} error={error}>
      <Controller<MonitorFields>
        name={name}
        render={({ field }) => (
          <Select options={options} value={String(field.value)} onValueChange={(value) => field.onChange(value)} />
        )}
      />
    </Field>
  );
}

export function SwitchField({ name, label }: { name: MonitorField; label: string }) {
  return (
    <Controller<MonitorFields>
      name={name}
      render={({ field }) => (
        <SwitchRow checked={field.value === true} onCheckedChange={(checked) => field.onChange(checked)}>
          {label}
        </SwitchRow>
      )}
    />
  );
}

/** The error of a list field as a whole. */
export function ListError({ name }: { name: MonitorField }) {
  const error = useFieldError(name);
  return error ? <FieldError>{error}</FieldError> : null;
}

/** A section of the form with a line above. */
export function FormPart({
  title,
  note,
  children,
}: {
  title?: string;
  note?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <div className="grid gap-4 border-t py-6">
      {title ? (
        <div>
          <h2>{title}</h2>
          {note ? <p className="text-small text-muted">{note}</p> : null}
        </div>
      ) : null}
      {children}
    </div>
  );
}

/** Two fields side by side on wide screens. */
export function Two({ children }: { children: React.ReactNode }) {
  return <div className="grid gap-4 sm:grid-cols-2">{children}</div>;
}
