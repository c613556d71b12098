import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

export interface NewPasswordFieldProps {
  label: string;
  error: string | undefined;
  registration: UseFormRegisterReturn;
}

/** The field for a new password, with its requirements. */
export function NewPasswordField({ label, error, registration }: NewPasswordFieldProps) {
  return (
    <Field label={label} error={error} help="At least 10 characters. A passphrase of several words works well.">
      <Input type="password" autoComplete="new-password" {...registration} />
    </Field>
  );
}
