import { useRef } from 'react';

/**
 * Removes an entry of a list in a form. The focus, which the removed button had, moves to the button that adds an entry: keyboards and screen readers
 * go on there, not at the start of the page.
 */
export function useRemove(remove: (index: number) => void) {
  const addButton = useRef<HTMLButtonElement>(null);
  return {
    addButton,
    remove(index: number) {
      remove(index);
      addButton.current?.focus();
    },
  };
}
