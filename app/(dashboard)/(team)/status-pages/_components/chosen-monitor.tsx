'use client';

import type { NamedMonitor } from '@/app/_components/monitors/find-monitor';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { MovableRow, type Moving, RowButton } from './movable-row';

export interface ChosenMonitorProps {
  monitor: NamedMonitor;
  /** The entered name; may be empty. */
  displayName: string;
  /** The name shown if none is entered. */
  defaultName: string;
  error: string | undefined;
  onDisplayName: (name: string) => void;
  onRemove: () => void;
  moving: Moving;
}

/** A monitor on a page: its display name, and buttons to move or remove it. */
export function ChosenMonitor(props: ChosenMonitorProps) {
  const { monitor, displayName, defaultName, onRemove, moving } = props;
  const { name, status } = monitor;
  return (
    <MovableRow
      {...moving}
      name={name}
      status={status}
      buttons={<RowButton icon="x" label={`Remove ${name} from the page`} onClick={onRemove} />}
    >
      <Field
        label={
          <span className="text-small text-muted">
            Display name<span className="sr-only"> of {name}</span>
          </span>
        }
        optional
        error={props.error}
        help={
          displayName === '' && defaultName !== name
            ? `Shown as “${defaultName}”, because status pages do not reveal URLs.`
            : undefined
        }
        className="pr-2"
      >
        <Input
          autoComplete="off"
          placeholder={defaultName}
          value={displayName}
          onChange={(event) => props.onDisplayName(event.target.value)}
        />
      </Field>
    </MovableRow>
  );
}
