'use client';

import { useFormState } from 'react-hook-form';
import { formatInterval } from '@/app/_components/format';
import { ChoiceField } from './fields';
import type { MonitorFields } from './monitor-fields';

const intervals = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400];

/** Selects the interval. An interval set through the API is added to the choices. */
export function IntervalField({ label }: { label: string }) {
  const { defaultValues } = useFormState<MonitorFields>();
  const current = Number(defaultValues?.intervalSeconds);
  const all = intervals.includes(current) ? intervals : [...intervals, current].sort((a, b) => a - b);
  const options = all.map((value) => ({ value: String(value), label: formatInterval(value) }));
  return <ChoiceField name="intervalSeconds" label={label} options={options} />;
}
