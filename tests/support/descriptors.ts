import { readdirSync, readlinkSync } from 'node:fs';
import { until } from './receivers';

/** Whether this system lists a process's open descriptors. */
export const canCountDescriptors = process.platform === 'linux';

/** The number of sockets and pipes of this process. */
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

/** Resolves when at most `most` are open; rejects after `timeoutMs`. */
export function closedDownTo(most: number, timeoutMs = 5_000): Promise<void> {
  return until(() => countDescriptors() <= most, timeoutMs, `Closing all but ${most} descriptors`);
}
