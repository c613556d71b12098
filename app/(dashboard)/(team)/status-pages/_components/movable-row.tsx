'use client';

import { useEffect, useRef } from 'react';
import { Glyph } from '@/app/_components/status/glyph';
import type { State } from '@/app/_components/status/states';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';

/** How a row can move within its list. */
export interface Moving {
  isFirst: boolean;
  isLast: boolean;
  /** -1 up, 1 down. */
  onMove: (by: -1 | 1) => void;
  drag: { onStart: () => void; onOver: () => void; onEnd: () => void };
}

export interface MovableRowProps extends Moving {
  name: string;
  status: State;
  /** Buttons after those that move the row. */
  buttons: React.ReactNode;
  /** Content below the name and the buttons. */
  children: React.ReactNode;
}

/** A row that can be moved with buttons or by dragging. */
export function MovableRow({ name, status, isFirst, isLast, onMove, drag, buttons, children }: MovableRowProps) {
  const pressed = useRef<HTMLButtonElement | null>(null);
  // Keeps the focus on the button of a moved row.
  useEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  });
  const mover = (by: -1 | 1) => (
    <Button
      variant="ghost"
      size="small"
      square
      aria-label={`Move ${name} ${by === -1 ? 'up' : 'down'}`}
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
          event.dataTransfer.setData('text/plain', name);
          drag.onStart();
        }}
        onDragEnd={drag.onEnd}
        className="flex min-h-10 cursor-grab items-center gap-2"
      >
        <Glyph state={status} />
        <span className="min-w-0 grow [overflow-wrap:anywhere]">{name}</span>
        <span className="flex shrink-0">
          {mover(-1)}
          {mover(1)}
          {buttons}
        </span>
      </div>
      {children}
    </li>
  );
}

export interface RowButtonProps {
  icon: 'x' | 'edit' | 'trash';
  label: string;
  onClick: () => void;
}

export function RowButton({ icon, label, onClick }: RowButtonProps) {
  return (
    <Button variant="ghost" size="small" square aria-label={label} className="max-sm:size-10" onClick={onClick}>
      <Icon name={icon} small />
    </Button>
  );
}
