import { SAY_EVERY_MS, sayListening } from '@/server/checks/schedule/listening';
import { log } from '@/server/platform/log';

/** Next bundles the start of the process apart from its routes. */
const shared = globalThis as typeof globalThis & { upwatchPingLost?: boolean };

/** A ping was answered with an error of ours: nobody may call it missed. */
export function notePingLost(): void {
  shared.upwatchPingLost = true;
}

/** Says every two seconds that this process receives pings, as long as the database can store them. */
export function keepListening(): void {
  let hasStarted = false;
  const say = async () => {
    const wasLost = shared.upwatchPingLost === true;
    shared.upwatchPingLost = false;
    try {
      await sayListening(wasLost ? 'lost' : hasStarted ? 'listening' : 'started');
      hasStarted = true;
    } catch (error) {
      shared.upwatchPingLost ||= wasLost;
      log.debug({ err: error }, 'The database could not be told that pings are received');
    }
    setTimeout(() => void say(), SAY_EVERY_MS).unref();
  };
  void say();
}
