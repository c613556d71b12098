import { Glyph } from '@/app/_components/status/glyph';
import { type State, stateWords } from '@/app/_components/status/states';

/** The icon of a page's title, 40 px. */
export function StatusIcon({ state }: { state: State }) {
  return (
    <span role="img" aria-label={stateWords[state]} className="block shrink-0">
      <Glyph state={state} size="xlarge" className="block" />
    </span>
  );
}
