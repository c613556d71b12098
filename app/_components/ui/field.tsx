'use client';

import { createContext, useContext, useId } from 'react';
import { cn } from '@/app/_components/cn';
import { Glyph } from '@/app/_components/status/glyph';

interface FieldIds {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

const FieldContext = createContext<FieldIds | null>(null);

interface ControlProps {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: React.AriaAttributes['aria-invalid'];
}

/** The attributes that link a control to its Field. The control's own attributes take precedence. */
export function useControl(props: ControlProps): ControlProps {
  const field = useContext(FieldContext);
  return {
    id: props.id ?? field?.id,
    'aria-describedby': props['aria-describedby'] ?? field?.describedBy,
    'aria-invalid': props['aria-invalid'] ?? (field?.invalid || undefined),
  };
}

/** The text above a control. */
export function Label({ className, ...props }: React.ComponentProps<'label'>) {
  // biome-ignore lint/a11y/noLabelWithoutControl: linked by htmlFor, which Field sets
  return <label className={cn('flex items-baseline gap-1.5 font-medium', className)} {...props} />;
}

/** The error of a field. */
export function FieldError({ id, children }: { id?: string; children: React.ReactNode }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-small text-down-fg">
      <Glyph state="down" size="small" className="mt-[3px]" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}

export interface FieldProps {
  label: React.ReactNode;
  /** Shown unless there is an error. */
  help?: React.ReactNode;
  error?: string | undefined;
  optional?: boolean;
  /** Content at the right end of the label's line. */
  aside?: React.ReactNode;
  /** The control's ID, if other elements refer to it. */
  id?: string;
  className?: string;
  /** One control of this folder, which gets its id, aria-describedby and aria-invalid from the Field. */
  children: React.ReactNode;
}

/** A labelled control: label above, help or error below. */
export function Field({ label, help, error, optional, aside, id, className, children }: FieldProps) {
  const made = useId();
  const controlId = id ?? made;
  const noteId = `${controlId}-note`;
  return (
    <FieldContext value={{ id: controlId, describedBy: error || help ? noteId : undefined, invalid: Boolean(error) }}>
      <div className={cn('grid min-w-0 content-start gap-1.5', className)}>
        <div className="flex items-baseline gap-2">
          <Label htmlFor={controlId} className="grow">
            {label}
            {optional ? <span className="text-small font-normal text-faint">optional</span> : null}
          </Label>
          {aside}
        </div>
        {children}
        {error ? (
          <FieldError id={noteId}>{error}</FieldError>
        ) : help ? (
          <p id={noteId} className="text-small text-muted">
            {help}
          </p>
        ) : null}
      </div>
    </FieldContext>
  );
}
