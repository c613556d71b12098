'use client';

import { useQuery } from '@tanstack/react-query';
import { FindComponent, useHasComponents } from '@/app/_components/find-component';
import { useTRPC } from '@/app/_trpc/client';
import { type Selected, SelectionField, type SelectionFieldProps } from './selection-field';

export type ComponentsFieldProps = Pick<SelectionFieldProps, 'value' | 'onValueChange' | 'error'>;

/** Selects affected components without a monitor. Renders nothing if the team has none. */
export function ComponentsField(props: ComponentsFieldProps) {
  const { value } = props;
  const hasComponents = useHasComponents();
  if (!hasComponents && value.length === 0) return null;
  return (
    <SelectionField
      {...props}
      label="Components"
      useSelected={useComponent}
      find={({ autoFocus, onChoose }) => (
        <FindComponent
          label={value.length === 0 ? 'Components of status pages' : 'Add a component'}
          verb="Select"
          taken={value}
          optional
          autoFocus={autoFocus}
          onChoose={onChoose}
        />
      )}
    />
  );
}

function useComponent(id: string): Selected {
  const trpc = useTRPC();
  const query = useQuery(trpc.statusPageComponents.get.queryOptions({ id }));
  const component = query.data?.component;
  return {
    name: component?.name ?? (query.isPending ? '…' : 'Deleted component'),
    detail: component?.statusPageTitle,
    status: component?.status ?? null,
  };
}
