import { describe, expect, it } from 'vitest';
import { meaning } from '@/app/(dashboard)/(team)/monitors/_components/detail/uptime-words';
import type { Uptime } from '@/server/monitor-types/schema';

const uptime = (changes: Partial<Uptime>) =>
  ({ ratio: 1, downSeconds: 0, maintenanceSeconds: 0, excludedSeconds: 0, ...changes }) as Uptime;

describe('the words of an uptime', () => {
  it.each([
    [{}, 'no downtime'],
    [{ ratio: 0.99, downSeconds: 896 }, '14 min 56 s down'],
    [{ maintenanceSeconds: 2160 }, 'no downtime, 36 min of maintenance not counted'],
    [
      { ratio: 0.99, downSeconds: 60, excludedSeconds: 3600, maintenanceSeconds: 2160 },
      '1 min down, 1 h excluded, 36 min of maintenance not counted',
    ],
    [{ ratio: null, maintenanceSeconds: 2160 }, 'no data, 36 min of maintenance not counted'],
    [{ ratio: null }, 'no data yet'],
  ])('describes the uptime %j as: %s', (changes, words) => {
    expect(meaning(uptime(changes))).toBe(words);
  });
});
