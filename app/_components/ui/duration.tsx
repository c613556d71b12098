'use client';

import { formatLongDuration } from '@/app/_components/format';
import { useClockText } from '@/app/_components/ui/time';

/** For how long something has been so, as sentences say it: "14 min 56 s". Keeps itself up to date. */
export function Duration({ at }: { at: string }) {
  const text = useClockText((now) => formatLongDuration((now - Date.parse(at)) / 1000));
  return <span className="num">{text}</span>;
}

/** In how long something will be, as sentences say it: "in 9 s", "now" when its time has come. */
export function Until({ at }: { at: string }) {
  const text = useClockText((now) => {
    const seconds = Math.ceil((Date.parse(at) - now) / 1000);
    return seconds <= 0 ? 'now' : `in ${formatLongDuration(seconds)}`;
  });
  return <span className="num">{text}</span>;
}
