import { type State, stateWords } from '@/app/_components/states';
import { Glyph } from '@/app/_components/ui/glyph';

/** The state at 40 px, once per page, before the title. */
export function Plate({ state }: { state: State }) {
  return (
    <span role="img" aria-label={stateWords[state]} className="block shrink-0">
      <Glyph state={state} size="plate" className="block" />
    </span>
  );
}
