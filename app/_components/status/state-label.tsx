import { cn } from '@/app/_components/cn';
import { Glyph } from '@/app/_components/status/glyph';
import { type State, stateWords } from '@/app/_components/status/states';
import { Elapsed } from '@/app/_components/time/time';

export interface StateLabelProps {
  state: State;
  /** The start of the status; ISO 8601. */
  since?: string | null;
  /** A label other than the status's own: "Open", "Resolved", "Delivered". */
  word?: string;
  className?: string;
}

/** Icon, label and duration of a status. For up, the text is muted and only the icon has a color. */
export function StateLabel({ state, since, word, className }: StateLabelProps) {
  return (
    <span
      data-state={state}
      className={cn(
        'inline-flex items-center gap-[7px] whitespace-nowrap',
        state === 'up' ? 'text-muted' : 'font-medium text-s-fg',
        className,
      )}
    >
      <Glyph state={state} />
      <span className="txt">{word ?? stateWords[state]}</span>
      {since ? <Elapsed at={since} className="txt font-normal text-faint" /> : null}
    </span>
  );
}
