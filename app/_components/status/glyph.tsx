import { cn } from '@/app/_components/cn';
import { glyphShapes } from '@/app/_components/status/glyph-shapes';
import type { State } from '@/app/_components/status/states';

const sizes = { micro: 'size-[11px]', small: 'size-3', base: 'size-3.5', large: 'size-5', xlarge: 'size-10' };

/** The icon of a status in its color. Decorative: always shown with the status label. */
export function Glyph({
  state,
  size = 'base',
  className,
}: {
  state: State;
  size?: keyof typeof sizes;
  className?: string;
}) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      data-state={state}
      className={cn('shrink-0 text-s-solid', sizes[size], className)}
    >
      {glyphShapes[state]}
    </svg>
  );
}
