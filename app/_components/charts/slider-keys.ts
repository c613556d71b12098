export interface SliderKeys {
  /** The index of the shown value; null if none is shown. */
  index: number | null;
  last: number;
  /** The step of an arrow key with Shift. */
  leap: number;
}

/**
 * The next position of the slider after a key: arrow keys step (the first press shows the last value), Home and End jump, Escape hides it (null).
 * Undefined for other keys.
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
