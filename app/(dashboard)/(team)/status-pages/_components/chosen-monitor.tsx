'use client';

import { useEffect, useRef } from 'react';
import type { NamedMonitor } from '@/app/_components/monitors/find-monitor';
import { Glyph } from '@/app/_components/status/glyph';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Icon } from '@/app/_components/ui/icon';
import { Input } from '@/app/_components/ui/input';

export interface ChosenMonitorProps {
  monitor: NamedMonitor;
  /** The entered name; may be empty. */
  displayName: string;
  /** The name shown if none is entered. */
  defaultName: string;
  error: string | undefined;
  onDisplayName: (name: string) => void;
  isFirst: boolean;
  isLast: boolean;
  /** -1 up, 1 down. */
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  drag: { onStart: () => void; onOver: () => void; onEnd: () => void };
}

/** A monitor on the page: its display name and the buttons that move or remove it. */
export function ChosenMonitor(props: ChosenMonitorProps) {
  const { monitor, displayName, defaultName, isFirst, isLast, onMove, onRemove, drag } = props;
  const pressed = useRef<HTMLButtonElement | null>(null);
  // Keep the focus on the button of a row that moves.
  useEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  });
  const mover = (by: -1 | 1) => (
    <Button
      variant="ghost"
      size="small"
      square
      aria-label={`Move ${monitor.name} ${by === -1 ? 'up' : 'down'}`}
      aria-disabled={(by === -1 ? isFirst : isLast) || undefined}
      className="max-sm:size-10 aria-disabled:cursor-not-allowed aria-disabled:text-disabled"
      onClick={(event) => {
        pressed.current = event.currentTarget;
        onMove(by);
      }}
    >
      <Icon name="chevron-down" small className={by === -1 ? 'rotate-180' : ''} />
    </Button>
  );
  return (
    <li
      onDragOver={(event) => {
        event.preventDefault();
        drag.onOver();
      }}
      onDrop={(event) => event.preventDefault()}
      className="grid gap-1 py-1 pr-1 pb-2 pl-3"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is one more way; the buttons in it move the row too */}
      <div
        draggable
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          event.dataTransfer.setData('text/plain', monitor.name);
          drag.onStart();
        }}
        onDragEnd={drag.onEnd}
        className="flex min-h-10 cursor-grab items-center gap-2"
      >
        <Glyph state={monitor.status} />
        <span className="min-w-0 grow [overflow-wrap:anywhere]">{monitor.name}</span>
        <span className="flex shrink-0">
          {mover(-1)}
          {mover(1)}
          <Button
            variant="ghost"
            size="small"
            square
            aria-label={`Remove ${monitor.name} from the page`}
            className="max-sm:size-10"
            onClick={onRemove}
          >
            <Icon name="x" small />
          </Button>
        </span>
      </div>
      <Field
        label={
          <span className="text-small text-muted">
            Display name<span className="sr-only"> of {monitor.name}</span>
          </span>
        }
        optional
        error={props.error}
        help={
          displayName === '' && defaultName !== monitor.name
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
    </li>
  );
}
