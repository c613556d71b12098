import { glyphShapes } from '@/app/_components/status/glyph-shapes';
import { type State, states } from '@/app/_components/status/states';

/** The shapes that `Glyph` refers to; rendered once per document. */
export function GlyphSprite() {
  return (
    <svg className="sprite" aria-hidden="true">
      {states.map((state) => (
        <symbol key={state} id={`g-${state}`} viewBox="0 0 16 16">
          {glyphShapes[state]}
        </symbol>
      ))}
    </svg>
  );
}

/** The icon of a state, shown beside its label. */
export function Glyph({ state }: { state: State }) {
  return (
    <svg className="glyph" data-state={state} aria-hidden="true">
      <use href={`#g-${state}`} />
    </svg>
  );
}
