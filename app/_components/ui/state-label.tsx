import { cn } from '@/app/_components/cn';
import { type State, stateWords } from '@/app/_components/states';
import { Glyph } from '@/app/_components/ui/glyph';
import { Elapsed } from '@/app/_components/ui/time';

export interface StateLabelProps {
  state: State;
  /** When it began; ISO 8601. */
  since?: string | null;
  /** Another word than the state's own: "Open", "Resolved", "Delivered". */
  word?: string;
  className?: string;
}

/** Glyph, word and for how long, without a box. Up is quiet: muted ink, the glyph carries the colour. */
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
