export interface SliderKeys {
  /** The index that is shown; null while none is. */
  index: number | null;
  last: number;
  /** How far an arrow key goes with Shift. */
  leap: number;
}

/**
 * The next position of the slider for a key: arrow keys step (and show the last value first), Home and End jump,
 * Escape hides it (null). Undefined for other keys.
 */
export function slideTo({ key, shiftKey }: React.KeyboardEvent, { index, last, leap }: SliderKeys) {
  const step = shiftKey ? leap : 1;
  const moves: Record<string, number | null> = {
    ArrowLeft: index === null ? last : Math.max(0, index - step),
    ArrowRight: index === null ? last : Math.min(last, index + step),
    Home: 0,
    End: last,
    Escape: null,
  };
  return moves[key];
}
