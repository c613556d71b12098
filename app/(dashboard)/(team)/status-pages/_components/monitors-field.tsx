'use client';

import { useId, useRef, useState } from 'react';
import { FindMonitor, type NamedMonitor } from '@/app/_components/monitors/find-monitor';
import { Button } from '@/app/_components/ui/button';
import { FieldError } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { componentNames, type StatusPageComponent } from '@/server/status-pages/schema';
import { ChosenComponent } from './chosen-component';
import { ChosenMonitor } from './chosen-monitor';
import { addComponentId, type ComponentTask } from './component-dialogs';
import type { Moving } from './movable-row';

export interface MonitorsFieldProps {
  /** The monitors already on the page, with their names. */
  known: NamedMonitor[];
  /** The components of the page. */
  components: StatusPageComponent[];
  /** The IDs of the selected monitors and of the components, in order. */
  value: string[];
  onValueChange: (ids: string[]) => void;
  /** The entered display names by monitor ID. */
  displayNames: Record<string, string>;
  onDisplayNamesChange: (names: Record<string, string>) => void;
  /** Adds, edits or deletes a component; undefined until the page is created. */
  onComponent: ((task: ComponentTask) => void) | undefined;
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

/** Selects the monitors of a page, and orders them and its components with buttons or by dragging. */
export function MonitorsField(props: MonitorsFieldProps) {
  const { known, components, value, onValueChange, displayNames, onDisplayNamesChange, onComponent, error } = props;
  const id = useId();
  const [added, setAdded] = useState<NamedMonitor[]>([]);
  const [announcement, setAnnouncement] = useState('');
  const dragged = useRef<string | null>(null);
  const byId = new Map([...known, ...added].map((monitor) => [monitor.id, monitor]));
  const componentOf = new Map(components.map((component) => [component.id, component]));
  const monitors = value
    .filter((each) => !componentOf.has(each))
    .map((each): NamedMonitor => byId.get(each) ?? { ...unknown, id: each, name: each });
  const names = componentNames(
    monitors.map((monitor) => ({ ...monitor, displayName: displayNames[monitor.id]?.trim() || null })),
  );
  const defaults = new Map(monitors.map((monitor, index) => [monitor.id, names[index] ?? '']));
  const nameOf = (each: string) => (componentOf.get(each) ?? byId.get(each))?.name ?? 'Monitor';

  const move = (from: number, to: number) => {
    const entry = value[from];
    if (entry === undefined || to < 0 || to >= value.length || from === to) return;
    onValueChange(moved(value, from, to));
    setAnnouncement(`${nameOf(entry)} moved to position ${to + 1} of ${value.length}.`);
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
  const movingOf = (entry: string, index: number): Moving => ({
    isFirst: index === 0,
    isLast: index === value.length - 1,
    onMove: (by) => move(index, index + by),
    drag: {
      onStart: () => {
        dragged.current = entry;
      },
      onOver: () => {
        if (dragged.current !== null) move(value.indexOf(dragged.current), index);
      },
      onEnd: () => {
        dragged.current = null;
      },
    },
  });
  const rowOf = (entry: string, index: number) => {
    const component = componentOf.get(entry);
    if (component) {
      return (
        <ChosenComponent
          key={entry}
          component={component}
          onEdit={() => onComponent?.({ kind: 'edit', component })}
          onDelete={() => onComponent?.({ kind: 'delete', component })}
          moving={movingOf(entry, index)}
        />
      );
    }
    return (
      <ChosenMonitor
        key={entry}
        monitor={byId.get(entry) ?? { ...unknown, id: entry, name: entry }}
        displayName={displayNames[entry] ?? ''}
        defaultName={defaults.get(entry) ?? ''}
        error={props.nameErrors[entry]?.message}
        onDisplayName={(name) =>
          onDisplayNamesChange({ ...without(displayNames, entry), ...(name !== '' && { [entry]: name }) })
        }
        onRemove={() => remove(entry)}
        moving={movingOf(entry, index)}
      />
    );
  };

  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="grid min-w-0 gap-2 border-t pt-4">
      <legend className="sr-only">Monitors and components</legend>
      <p aria-hidden="true" className="font-medium">
        Monitors and components
      </p>
      {value.length > 0 ? (
        <ol aria-label="Monitors and components on this page" className="divide-y rounded-3 border">
          {value.map(rowOf)}
        </ol>
      ) : (
        <p className="text-small text-muted">
          Nothing added yet. The page shows its services in the order of this list.
        </p>
      )}
      <FindMonitor
        label={<span className="text-small text-muted">Add a monitor</span>}
        verb="Add"
        listLabel="Monitors to add"
        taken={value}
        allTaken="All monitors are already on the page."
        onChoose={add}
      />
      {onComponent ? (
        <div className="grid justify-items-start gap-1">
          <Button id={addComponentId} onClick={() => onComponent({ kind: 'new' })}>
            <Icon name="plus" />
            Add a component
          </Button>
          <p className="text-small text-muted">
            For services without a monitor, such as a phone line. Its status follows the incidents that affect it.
          </p>
        </div>
      ) : (
        <p className="text-small text-muted">
          Components without a monitor, such as a phone line, can be added once the page is created.
        </p>
      )}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </fieldset>
  );
}
