import { Glyph } from '@/app/_components/status/glyph';
import { type State, stateWords } from '@/app/_components/status/states';

/** The state at 40 px, once per page, before the title. */
export function StatusIcon({ state }: { state: State }) {
  return (
    <span role="img" aria-label={stateWords[state]} className="block shrink-0">
      <Glyph state={state} size="xlarge" className="block" />
    </span>
  );
}
