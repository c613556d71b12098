'use client';

import { FindMember, useMemberName } from '@/app/_components/find-member';
import { type Selected, SelectionField } from './selection-field';

export interface AssigneeFieldProps {
  /** The ID of a member; null for nobody. */
  value: string | null;
  onValueChange: (id: string | null) => void;
  error: string | undefined;
}

/** Selects the member who works on an incident. */
export function AssigneeField({ value, onValueChange, error }: AssigneeFieldProps) {
  return (
    <SelectionField
      label="Assignee"
      value={value === null ? [] : [value]}
      onValueChange={([id]) => onValueChange(id ?? null)}
      most={1}
      error={error}
      useSelected={useMember}
      find={(search) => <FindMember {...search} label="Assignee" verb="Assign" optional error={undefined} />}
    />
  );
}

function useMember(id: string): Selected {
  return { name: useMemberName(id) ?? '…', detail: 'Assignee', status: null };
}
