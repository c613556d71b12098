import { isRefused } from '@/server/checks/record/store-ping';
import { RECORD_EVERY_MS, recordListening } from '@/server/checks/schedule/listening';
import { recordPing } from '@/server/monitors/record-ping';
import { isDiskFull } from '@/server/platform/database/database-away';
import { databaseNow } from '@/server/platform/database-now';
import { isDataError } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { log } from '@/server/platform/log';
import { keptPings } from './kept-pings';

/** Shared through `globalThis`, because Next bundles the start of the process separately from its routes. */
const shared = globalThis as typeof globalThis & { upwatchPingLost?: boolean; upwatchDatabaseFull?: boolean };

/** Notes that a ping failed because of an internal error, so that it is not reported as missed. */
export function notePingLost(): void {
  shared.upwatchPingLost = true;
}

/** Whether the last attempt to write, at most two seconds ago, failed because the disk of the database is full. */
export function isDatabaseFull(): boolean {
  return shared.upwatchDatabaseFull === true;
}

async function recordKept(...[ping, cameAt]: Parameters<typeof recordPing>): Promise<void> {
  try {
    await recordPing(ping, cameAt);
  } catch (error) {
    // The token belongs to no heartbeat, or the team is being deleted.
    if (isRefused(error) || (error instanceof AppError && error.code === 'NOT_FOUND')) return;
    if (!isDataError(error)) throw error;
    log.error({ err: error }, 'A kept ping was dropped because the database rejects it');
  }
}

/**
 * Starts to record, every two seconds, that this process receives pings and the database can store them. Before each record, replays the pings that
 * were kept while it could not.
 */
export function startRecordingListening(): void {
  let hasStarted = false;
  const recordOnce = async () => {
    const wasLost = shared.upwatchPingLost === true;
    shared.upwatchPingLost = false;
    try {
      // Replays first, so that kept pings are not taken for missed ones.
      await keptPings().replay({ now: databaseNow, record: recordKept });
      await recordListening(wasLost ? 'lost' : hasStarted ? 'listening' : 'started');
      hasStarted = true;
      shared.upwatchDatabaseFull = false;
    } catch (error) {
      shared.upwatchDatabaseFull = isDiskFull(error);
      shared.upwatchPingLost ||= wasLost;
      log.debug({ err: error }, 'The time in which pings are received could not be recorded');
    }
    setTimeout(() => void recordOnce(), RECORD_EVERY_MS).unref();
  };
  void recordOnce();
}
