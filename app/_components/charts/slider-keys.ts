export interface SliderKeys {
  /** The index that is shown; null while none is. */
  index: number | null;
  last: number;
  /** How far an arrow key goes with Shift. */
  leap: number;
}

/**
 * Where a key moves the slider over a chart: arrow keys step (and show the last value first), Home and End jump, Escape
 * hides (null). Any other key: undefined.
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
