import { readdirSync, readlinkSync } from 'node:fs';
import { until } from './receivers';

/** Whether this system shows a process's open descriptors. */
export const canCountDescriptors = process.platform === 'linux';

/** How many sockets and pipes this process has open. */
export function countDescriptors(): number {
  const isCounted = (name: string) => {
    try {
      return /^(socket|pipe):/.test(readlinkSync(`/proc/self/fd/${name}`));
    } catch {
      return false;
    }
  };
  return readdirSync('/proc/self/fd').filter(isCounted).length;
}

/** Resolves when no more are open than `most`; rejects after `timeoutMs`. */
export function closedDownTo(most: number, timeoutMs = 5_000): Promise<void> {
  return until(() => countDescriptors() <= most, timeoutMs, `Closing all but ${most} descriptors`);
}
