import { useRef } from 'react';

/**
 * Removes an entry of a list in a form. The focus, which the removed button had, moves to the same button of the entry that takes its place, or to the
 * button that adds one: keyboards and screen readers go on there, not at the start of the page.
 * @param list the name of the list, which buttons that remove an entry have as `data-removes`
 */
export function useRemove(list: string, remove: (index: number) => void) {
  const addButton = useRef<HTMLButtonElement>(null);
  return {
    addButton,
    remove(index: number) {
      remove(index);
      requestAnimationFrame(() => {
        const left = document.querySelectorAll<HTMLElement>(`[data-removes="${CSS.escape(list)}"]`);
        (left[Math.min(index, left.length - 1)] ?? addButton.current)?.focus();
      });
    },
  };
}
