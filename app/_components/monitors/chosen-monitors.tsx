'use client';

import { useQuery } from '@tanstack/react-query';
import { FindMonitor } from '@/app/_components/monitors/find-monitor';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { useTRPC } from '@/app/_trpc/client';

export interface ChosenMonitorsProps {
  ids: readonly string[];
  error?: string | undefined;
  onChange: (ids: string[]) => void;
}

/** A list of monitors with buttons to remove them, and a search to add more. */
export function ChosenMonitors({ ids, error, onChange }: ChosenMonitorsProps) {
  return (
    <>
      {ids.length > 0 ? (
        <ul aria-label="Selected monitors" className="divide-y rounded-3 border">
          {ids.map((id) => (
            <Chosen key={id} id={id} onRemove={() => onChange(ids.filter((each) => each !== id))} />
          ))}
        </ul>
      ) : null}
      <FindMonitor
        label="Monitors"
        verb="Add"
        listLabel="Available monitors"
        taken={ids}
        allTaken="All monitors are selected."
        optional
        error={error}
        onChoose={({ id }) => onChange([...ids, id])}
      />
    </>
  );
}

function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.monitors.get.queryOptions({ id }));
  const name = query.data?.monitor.name ?? (query.isPending ? '…' : 'Deleted monitor');
  return (
    <li className="flex items-center gap-2 py-1 pr-1 pl-3">
      <span className="min-w-0 grow truncate font-medium">{name}</span>
      <Button variant="ghost" square aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="x" />
      </Button>
    </li>
  );
}
