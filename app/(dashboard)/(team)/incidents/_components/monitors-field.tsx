'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FindMonitor } from '@/app/_components/monitors/find-monitor';
import { StateLabel } from '@/app/_components/status/state-label';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';

export interface MonitorsFieldProps {
  value: readonly string[];
  onValueChange: (ids: string[]) => void;
  /** The monitor that cannot be removed: its checks opened the incident. */
  fixedId?: string | null;
  error: string | undefined;
}

/** Selects the affected monitors. */
export function MonitorsField({ value, onValueChange, fixedId = null, error }: MonitorsFieldProps) {
  // The button that was pressed is gone after each change; focus moves to the one that takes its place.
  const [changed, setChanged] = useState<string | null>(null);
  const choose = (ids: string[], id: string) => {
    setChanged(id);
    onValueChange(ids);
  };
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="sr-only">Monitors</legend>
      {value.length > 0 ? (
        <ul aria-label="Selected monitors" className="divide-y rounded-3 border">
          {value.map((id) => (
            <Chosen
              key={id}
              id={id}
              autoFocus={id === changed}
              onRemove={
                id === fixedId
                  ? null
                  : () =>
                      choose(
                        value.filter((each) => each !== id),
                        'search',
                      )
              }
            />
          ))}
        </ul>
      ) : null}
      <FindMonitor
        label={value.length === 0 ? 'Monitors' : 'Add a monitor'}
        verb="Select"
        listLabel="Available monitors"
        taken={value}
        allTaken="All monitors are selected."
        optional
        autoFocus={changed === 'search'}
        key={changed === 'search' ? value.length : 'same'}
        error={undefined}
        onChoose={({ id }) => choose([...value, id], id)}
      />
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}

function Chosen({ id, autoFocus, onRemove }: { id: string; autoFocus: boolean; onRemove: (() => void) | null }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.monitors.get.queryOptions({ id }));
  const monitor = query.data?.monitor;
  const name = monitor?.name ?? (query.isPending ? '…' : 'Deleted monitor');
  return (
    <li className="flex min-h-10 items-center gap-2 py-1 pr-1 pl-3">
      <span className="min-w-0 grow truncate font-medium">{name}</span>
      {monitor ? <StateLabel state={monitor.status} /> : null}
      {onRemove ? (
        <Button autoFocus={autoFocus} variant="ghost" square aria-label={`Remove ${name}`} onClick={onRemove}>
          <Icon name="x" />
        </Button>
      ) : null}
    </li>
  );
}
