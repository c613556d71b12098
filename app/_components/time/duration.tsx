'use client';

import { formatLongDuration } from '@/app/_components/format';
import { useClockText } from '@/app/_components/time/time';

/** The live duration since a time, in its two largest units: "14 min 56 s". */
export function Duration({ at }: { at: string }) {
  const text = useClockText((now) => formatLongDuration((now - Date.parse(at)) / 1000));
  return <span className="num">{text}</span>;
}

/** The live time until a future time: "in 9 s", then "now". */
export function Until({ at }: { at: string }) {
  const text = useClockText((now) => {
    const seconds = Math.ceil((Date.parse(at) - now) / 1000);
    return seconds <= 0 ? 'now' : `in ${formatLongDuration(seconds)}`;
  });
  return <span className="num">{text}</span>;
}
