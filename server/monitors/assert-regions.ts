import { isPassive } from '@/server/monitor-types/definitions';
import type { MonitorType } from '@/server/monitor-types/schema';
import { invalidField } from '@/server/platform/errors';

/** @throws AppError VALIDATION_ERROR if a heartbeat monitor names regions */
export function assertRegions(type: MonitorType, regions: string[]): void {
  if (isPassive(type) && regions.length > 0) {
    throw invalidField('regions', 'Leave this empty: this monitor waits for pings, so no region checks it.');
  }
}
