'use client';

import { formatInterval } from '@/app/_components/format';
import { NumberChoiceField } from './fields';

const intervals = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400];

/** The interval; one that was set by API is among the choices. */
export function IntervalField({ label, current }: { label: string; current: number | undefined }) {
  const isOffered = current === undefined || current > 86_400 || intervals.includes(current);
  const all = isOffered ? intervals : [...intervals, current].sort((a, b) => a - b);
  return (
    <NumberChoiceField
      name="intervalSeconds"
      label={label}
      options={all.map((value) => ({ value, label: formatInterval(value) }))}
    />
  );
}
