'use client';

import type { State } from '@/app/_components/status/states';

export interface ToastOptions {
  /** The icon before the message; a failure has the icon of down. */
  state?: State;
  /** An action: Undo, Show. */
  action?: { label: string; onClick: () => void };
}

export interface Toast extends ToastOptions {
  message: string;
  /** Screen readers announce failures at once. */
  failed: boolean;
  key: number;
}

let current: Toast | null = null;
let lastKey = 0;
const listeners = new Set<() => void>();

function set(next: Toast | null) {
  current = next;
  for (const listener of listeners) listener();
}

function show(toast: Omit<Toast, 'key'>) {
  lastKey += 1;
  set({ ...toast, key: lastKey });
}

/** Shows a message ("Paused 3 monitors") for ten seconds; replaces the previous one. `toast.error` shows a failure. */
export const toast = Object.assign(
  (message: string, options: ToastOptions = {}): void => show({ ...options, message, failed: false }),
  {
    error: (message: string, options: ToastOptions = {}): void => show({ ...options, message, failed: true }),
    dismiss: (): void => set(null),
  },
);

/** The store behind `toast`, for the Toaster. */
export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  get: () => current,
  getServer: () => null,
};
