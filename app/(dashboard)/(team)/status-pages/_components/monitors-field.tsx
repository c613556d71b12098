'use client';

import { useId, useRef, useState } from 'react';
import { FindMonitor, type NamedMonitor } from '@/app/_components/monitors/find-monitor';
import { FieldError } from '@/app/_components/ui/field';
import { componentNames } from '@/server/status-pages/schema';
import { ChosenMonitor } from './chosen-monitor';

export interface MonitorsFieldProps {
  /** The monitors already on the page, with their names. */
  known: NamedMonitor[];
  /** The IDs of the selected monitors, in order. */
  value: string[];
  onValueChange: (ids: string[]) => void;
  /** The entered display names by monitor ID. */
  displayNames: Record<string, string>;
  onDisplayNamesChange: (names: Record<string, string>) => void;
  error: string | undefined;
  nameErrors: Record<string, { message?: string } | undefined>;
}

function without(names: Record<string, string>, id: string): Record<string, string> {
  const { [id]: _left, ...rest } = names;
  return rest;
}

/** Placeholder for a monitor that no longer exists. */
const unknown = { status: 'unknown', type: 'http', target: '' } as const;

function moved(ids: string[], from: number, to: number): string[] {
  const next = [...ids];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** Selects the monitors of a page and their order, by buttons or by dragging. */
export function MonitorsField(props: MonitorsFieldProps) {
  const { known, value, onValueChange, displayNames, onDisplayNamesChange, error, nameErrors } = props;
  const id = useId();
  const [added, setAdded] = useState<NamedMonitor[]>([]);
  const [announcement, setAnnouncement] = useState('');
  const dragged = useRef<string | null>(null);
  const byId = new Map([...known, ...added].map((monitor) => [monitor.id, monitor]));
  const monitors = value.map((each): NamedMonitor => byId.get(each) ?? { ...unknown, id: each, name: each });
  const defaults = componentNames(
    monitors.map((monitor) => ({ ...monitor, displayName: displayNames[monitor.id]?.trim() || null })),
  );
  const nameOf = (monitorId: string) => byId.get(monitorId)?.name ?? 'Monitor';

  const move = (from: number, to: number) => {
    const monitorId = value[from];
    if (monitorId === undefined || to < 0 || to >= value.length || from === to) return;
    onValueChange(moved(value, from, to));
    setAnnouncement(`${nameOf(monitorId)} moved to position ${to + 1} of ${value.length}.`);
  };
  const remove = (monitorId: string) => {
    onValueChange(value.filter((each) => each !== monitorId));
    onDisplayNamesChange(without(displayNames, monitorId));
    setAnnouncement(`${nameOf(monitorId)} removed from the page.`);
  };
  const add = (monitor: NamedMonitor) => {
    setAdded((all) => [...all, monitor]);
    onValueChange([...value, monitor.id]);
    setAnnouncement(`${monitor.name} added at position ${value.length + 1}.`);
  };

  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="grid min-w-0 gap-2 border-t pt-4">
      <legend className="sr-only">Monitors</legend>
      <p aria-hidden="true" className="font-medium">
        Monitors
      </p>
      {value.length > 0 ? (
        <ol aria-label="Monitors on this page" className="divide-y rounded-3 border">
          {monitors.map((monitor, index) => (
            <ChosenMonitor
              key={monitor.id}
              monitor={monitor}
              displayName={displayNames[monitor.id] ?? ''}
              defaultName={defaults[index] ?? ''}
              error={nameErrors[monitor.id]?.message}
              onDisplayName={(name) =>
                onDisplayNamesChange({
                  ...without(displayNames, monitor.id),
                  ...(name !== '' && { [monitor.id]: name }),
                })
              }
              isFirst={index === 0}
              isLast={index === value.length - 1}
              onMove={(by) => move(index, index + by)}
              onRemove={() => remove(monitor.id)}
              drag={{
                onStart: () => {
                  dragged.current = monitor.id;
                },
                onOver: () => {
                  if (dragged.current !== null) move(value.indexOf(dragged.current), index);
                },
                onEnd: () => {
                  dragged.current = null;
                },
              }}
            />
          ))}
        </ol>
      ) : (
        <p className="text-small text-muted">No monitors added yet. The page shows them in the order of this list.</p>
      )}
      <FindMonitor
        label={<span className="text-small text-muted">Add a monitor</span>}
        verb="Add"
        listLabel="Monitors to add"
        taken={value}
        allTaken="All monitors are already on the page."
        onChoose={add}
      />
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </fieldset>
  );
}
