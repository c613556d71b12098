import { defineTask } from '../bounded/task';
import { indexOf } from './known-indexes';
import { Masker } from './masker';
import type { Secret } from './parts';

export interface TextToMask {
  text: string;
  /** Whether the text may end within a secret, so that the start of a secret at its end is masked too. */
  isCut?: boolean;
}

/** The task that masks secrets in texts. Returns null for a text that cannot be masked. */
export const maskTask = defineTask({
  name: 'mask-texts',
  run: ({ secrets, texts }: { secrets: Secret[]; texts: TextToMask[] }): (string | null)[] => {
    const masker = new Masker(indexOf(secrets));
    return texts.map(({ text, isCut }) => masker.mask(text, isCut));
  },
  budgetMs: 500,
  maxInputBytes: 4 * 1024 * 1024,
  maxOutputBytes: 4 * 1024 * 1024,
});
