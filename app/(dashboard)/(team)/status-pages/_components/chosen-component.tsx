'use client';

import type { StatusPageComponent } from '@/server/status-pages/schema';
import { MovableRow, type Moving, RowButton } from './movable-row';

export interface ChosenComponentProps {
  component: StatusPageComponent;
  onEdit: () => void;
  onDelete: () => void;
  moving: Moving;
}

/** A component without a monitor on a page: its description, and buttons to move, edit or delete it. */
export function ChosenComponent({ component, onEdit, onDelete, moving }: ChosenComponentProps) {
  const { name, description, status } = component;
  return (
    <MovableRow
      {...moving}
      name={name}
      status={status}
      buttons={
        <>
          <RowButton icon="edit" label={`Edit ${name}`} onClick={onEdit} />
          <RowButton icon="trash" label={`Delete ${name}`} onClick={onDelete} />
        </>
      }
    >
      <p className="pr-2 text-small text-muted [overflow-wrap:anywhere]">
        {description || 'Component without a monitor'}
      </p>
    </MovableRow>
  );
}
