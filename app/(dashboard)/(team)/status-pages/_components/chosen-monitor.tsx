'use client';

import { useEffect, useRef } from 'react';
import type { NamedMonitor } from '@/app/_components/monitors/find-monitor';
import { Button } from '@/app/_components/ui/button';
import { Glyph } from '@/app/_components/ui/glyph';
import { Icon } from '@/app/_components/ui/icon';

export interface ChosenMonitorProps {
  monitor: NamedMonitor;
  isFirst: boolean;
  isLast: boolean;
  /** -1 up, 1 down. */
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  drag: { onStart: () => void; onOver: () => void; onEnd: () => void };
}

/** A monitor on the page, with what moves it. */
export function ChosenMonitor({ monitor, isFirst, isLast, onMove, onRemove, drag }: ChosenMonitorProps) {
  const pressed = useRef<HTMLButtonElement | null>(null);
  // A row that moves takes the focus along.
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
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', monitor.name);
        drag.onStart();
      }}
      onDragOver={(event) => {
        event.preventDefault();
        drag.onOver();
      }}
      onDrop={(event) => event.preventDefault()}
      onDragEnd={drag.onEnd}
      className="flex min-h-10 cursor-grab items-center gap-2 py-1 pr-1 pl-3"
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
    </li>
  );
}
