import type { ChartRange } from '@/server/monitor-types/schema';

export const ranges: { value: ChartRange; label: string }[] = [
  { value: '3h', label: '3 h' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: '90d', label: '90 d' },
];

/** The ranges within a sentence. */
export const rangeWords: Record<ChartRange, string> = {
  '3h': '3 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};
