import { invalidField } from '@/server/platform/errors';
import type { MonitorType } from './schema';

/** @throws AppError VALIDATION_ERROR where regions are named for what is not checked */
export function assertRegions(type: MonitorType, regions: string[]): void {
  if (type === 'heartbeat' && regions.length > 0) {
    throw invalidField('regions', 'A heartbeat is not checked from anywhere: it waits to be pinged.');
  }
}
