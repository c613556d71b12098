'use client';

import { useQuery } from '@tanstack/react-query';
import { FindMonitor } from '@/app/_components/monitors/find-monitor';
import { useTRPC } from '@/app/_trpc/client';
import { type Selected, SelectionField, type SelectionFieldProps } from './selection-field';

/** `fixedId` is the monitor whose checks opened the incident. */
export type MonitorsFieldProps = Pick<SelectionFieldProps, 'value' | 'onValueChange' | 'fixedId' | 'error'>;

export function MonitorsField(props: MonitorsFieldProps) {
  return (
    <SelectionField
      {...props}
      label="Monitors"
      useSelected={useMonitor}
      find={({ autoFocus, onChoose }) => (
        <FindMonitor
          label={props.value.length === 0 ? 'Monitors' : 'Add a monitor'}
          verb="Select"
          listLabel="Available monitors"
          taken={props.value}
          allTaken="All monitors are selected."
          optional
          autoFocus={autoFocus}
          error={undefined}
          onChoose={({ id }) => onChoose(id)}
        />
      )}
    />
  );
}

function useMonitor(id: string): Selected {
  const trpc = useTRPC();
  const query = useQuery(trpc.monitors.get.queryOptions({ id }));
  const monitor = query.data?.monitor;
  return { name: monitor?.name ?? (query.isPending ? '…' : 'Deleted monitor'), status: monitor?.status ?? null };
}
