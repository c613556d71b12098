import { DAY_MS } from '@/server/time/schema';

const PREFIX = 'upwatch.draft:';
/** Drafts older than this are not restored. */
const LIFE_MS = DAY_MS;

/** The values of a form whose session ended. */
export interface Draft {
  /** The owner; other users do not see the draft. */
  owner: string;
  values: unknown;
  /** The version that was edited; null for something new. */
  version: string | null;
  at: number;
}

const open = new Set<() => void>();
let isLeaving = false;

/** Registers a form with unsaved changes. @returns a function that unregisters it */
export function onSessionEnd(keep: () => void): () => void {
  open.add(keep);
  return () => void open.delete(keep);
}

/** Stores the unsaved values of all forms on the page. Afterwards, leaving needs no confirmation. */
export function keepDrafts(): void {
  for (const keep of open) keep();
  isLeaving = true;
}

/** Whether the browser is navigating to the sign-in page. */
export function isLeavingToSignIn(): boolean {
  return isLeaving;
}

/** Stores a draft in this tab only; does nothing if the storage is full or disabled. */
export function writeDraft(name: string, draft: Omit<Draft, 'at'>): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify({ ...draft, at: Date.now() }));
  } catch {
    // Without storage there is no draft.
  }
}

/** Takes the draft of a form; null if there is none or it belongs to another user. */
export function takeDraft(name: string, owner: string): Draft | null {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    if (text === null) return null;
    sessionStorage.removeItem(PREFIX + name);
    const draft = JSON.parse(text) as Draft;
    return draft.owner === owner && Date.now() - draft.at < LIFE_MS ? draft : null;
  } catch {
    return null;
  }
}
