const PREFIX = 'upwatch.draft:';
/** Who comes back later than this has another task at hand. */
const LIFE_MS = 24 * 60 * 60 * 1000;

/** What was typed into a form when its session ended. */
export interface Draft {
  /** The person who typed it: nobody else finds it. */
  owner: string;
  values: unknown;
  /** The version that was edited; null for something new. */
  version: string | null;
  at: number;
}

const open = new Set<() => void>();
let isLeaving = false;

/** Remembers how to keep a form that has unsaved changes; the answer forgets it. */
export function onSessionEnd(keep: () => void): () => void {
  open.add(keep);
  return () => void open.delete(keep);
}

/** Keeps what every form on the page holds unsaved. From then on leaving is not asked about. */
export function keepDrafts(): void {
  for (const keep of open) keep();
  isLeaving = true;
}

/** Whether the page is being left for the sign-in page. */
export function isLeavingToSignIn(): boolean {
  return isLeaving;
}

/** Keeps a draft in this tab alone. A store that refuses (full, or switched off) keeps none. */
export function writeDraft(name: string, draft: Omit<Draft, 'at'>): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify({ ...draft, at: Date.now() }));
  } catch {
    // The form is lost then, as it would be without drafts.
  }
}

/** The draft of a form, which is removed; null where there is none, or another person's. */
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
