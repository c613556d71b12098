import { formatCount } from '@/app/_components/format';

/** "1 monitor", "3 monitors". */
export function countWords(count: number): string {
  return count === 1 ? '1 monitor' : `${formatCount(count)} monitors`;
}
