'use client';

import { useKeys } from '@/app/_components/keys';

/** How the focus moves among the rows of the list. */
export type Step = 1 | -1 | 'first' | 'last';

const steps: Record<string, Step> = { ArrowDown: 1, ArrowUp: -1, Home: 'first', End: 'last' };

/** Handles a key pressed in `row`: Up, Down, Home and End move the focus, Right opens its menu. Returns false for other keys. */
export function moveInList(row: HTMLElement, key: string, move: (step: Step) => void): boolean {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step !== undefined) move(step);
  else if (key === 'ArrowRight') row.querySelector<HTMLElement>('.row-more button')?.focus();
  else if (key === 'ArrowLeft') row.querySelector<HTMLElement>('a.row-link')?.focus();
  else return false;
  return true;
}

/** Shortcuts of the list: "/" searches, J and K move through the rows, N creates a monitor. */
export function useListKeys({
  list,
  search,
  onNew,
}: {
  list: React.RefObject<{ move: (step: Step) => void } | null>;
  search: React.RefObject<HTMLInputElement | null>;
  /** Null without write access. */
  onNew: (() => void) | null;
}): void {
  useKeys({
    '/': () => search.current?.focus(),
    j: () => list.current?.move(1),
    k: () => list.current?.move(-1),
    n: onNew,
  });
}
