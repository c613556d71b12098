'use client';

import { Controller, get, useFormContext, useFormState } from 'react-hook-form';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input, type InputProps } from '@/app/_components/ui/input';
import { Select, type SelectOption } from '@/app/_components/ui/select';
import { SwitchRow } from '@/app/_components/ui/switch';
import { Textarea } from '@/app/_components/ui/textarea';
import type { MonitorField, MonitorFields } from './monitor-fields';

/** The error of a field that was left, or of any after the form was sent. */
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

/** A line of text of the form. */
export function TextField({ name, label, help, optional, ...input }: Labelled & InputProps & { name: MonitorField }) {
  const { register } = useFormContext<MonitorFields>();
  const error = useFieldError(name);
  return (
    <Field label={label} help={help} error={error} {...(optional && { optional })}>
      <Input {...input} {...register(name)} />
    </Field>
  );
}

/** Several lines of text of the form. */
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

/** A choice of the form. */
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

/** A switch of the form. */
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

/** The error of a list as a whole. */
export function ListError({ name }: { name: MonitorField }) {
  const error = useFieldError(name);
  return error ? <FieldError>{error}</FieldError> : null;
}

/** A part of the form under a line. */
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

/** Two fields side by side where there is room. */
export function Two({ children }: { children: React.ReactNode }) {
  return <div className="grid gap-4 sm:grid-cols-2">{children}</div>;
}
