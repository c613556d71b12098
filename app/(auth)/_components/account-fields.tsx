'use client';

import type { FieldValues, Path, UseFormRegisterReturn, UseFormReturn } from 'react-hook-form';
import { NewPasswordField } from '@/app/_components/forms/new-password-field';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';

/** Registers fields that are validated on blur, except that empty fields are only reported on submit. */
export function checkedOnLeaving<Values extends FieldValues>({
  register,
  trigger,
}: Pick<UseFormReturn<Values>, 'register' | 'trigger'>) {
  return (name: Path<Values>) =>
    register(name, { onBlur: (event: React.FocusEvent<HTMLInputElement>) => event.target.value && trigger(name) });
}

type AccountField = 'email' | 'password' | 'name';

export interface AccountFieldsProps {
  field: (name: AccountField) => UseFormRegisterReturn;
  errors: { [Name in AccountField]?: { message?: string } | undefined };
}

export function AccountFields({ field, errors }: AccountFieldsProps) {
  return (
    <>
      <Field label="Email" error={errors.email?.message}>
        <Input type="email" autoComplete="username" {...field('email')} />
      </Field>
      <NewPasswordField label="Password" error={errors.password?.message} registration={field('password')} />
      <Field label="Name" optional error={errors.name?.message}>
        <Input autoComplete="name" {...field('name')} />
      </Field>
    </>
  );
}
