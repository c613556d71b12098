'use client';

import type { State } from '@/app/_components/states';

export interface ToastContent {
  /** The message: "Paused 3 monitors". */
  message: string;
  /** Failures are announced immediately. */
  failed?: boolean;
  /** The glyph before the message; a failure has down's. */
  state?: State;
  /** An action: Undo, Show. */
  action?: { label: string; run: () => void };
}

export interface Toast extends ToastContent {
  key: number;
}

let current: Toast | null = null;
let lastKey = 0;
const listeners = new Set<() => void>();

function set(next: Toast | null) {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a toast for ten seconds; replaces the previous one. */
export function toast(content: ToastContent): void {
  lastKey += 1;
  set({ ...content, key: lastKey });
}

/** Dismisses the toast. */
export function dismissToast(): void {
  set(null);
}

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
