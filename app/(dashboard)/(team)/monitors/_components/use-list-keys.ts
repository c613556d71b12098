'use client';

import { useKeys } from '@/app/_components/keys';

/** Moves the focus among the row links of `list`. */
export function moveRow(list: HTMLElement | null, step: number | 'first' | 'last'): void {
  const links = [...(list?.querySelectorAll<HTMLElement>('a.row-link') ?? [])];
  const now = links.findIndex(
    (link) => link === document.activeElement || link.closest('.row')?.contains(document.activeElement),
  );
  const last = links.length - 1;
  const next = step === 'first' ? 0 : step === 'last' ? last : now < 0 ? 0 : Math.min(last, Math.max(0, now + step));
  links[next]?.focus();
}

/** Handles a key pressed in `row`: Up, Down, Home and End move the focus, Right opens its menu. Returns false for other keys. */
export function moveInList(row: HTMLElement, key: string): boolean {
  const list = row.closest<HTMLElement>('[role="table"]');
  switch (key) {
    case 'ArrowDown':
      moveRow(list, 1);
      return true;
    case 'ArrowUp':
      moveRow(list, -1);
      return true;
    case 'Home':
      moveRow(list, 'first');
      return true;
    case 'End':
      moveRow(list, 'last');
      return true;
    case 'ArrowRight':
      row.querySelector<HTMLElement>('.row-more button')?.focus();
      return true;
    case 'ArrowLeft':
      row.querySelector<HTMLElement>('a.row-link')?.focus();
      return true;
    default:
      return false;
  }
}

/** Shortcuts of the list: "/" searches, J and K move through the rows, N creates a monitor. */
export function useListKeys({
  list,
  search,
  onNew,
}: {
  list: React.RefObject<HTMLElement | null>;
  search: React.RefObject<HTMLInputElement | null>;
  /** Null without write access. */
  onNew: (() => void) | null;
}): void {
  useKeys({
    '/': () => search.current?.focus(),
    j: () => moveRow(list.current, 1),
    k: () => moveRow(list.current, -1),
    n: onNew,
  });
}
