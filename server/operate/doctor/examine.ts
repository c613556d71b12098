import { env } from '@/server/platform/env';
import { closeMail } from '@/server/platform/mail';
import { checkDatabase } from './check-database';
import { checkEgress, checkMail, checkNameServers, checkPort, checkStores } from './check-network';
import { checkDisk, checkSecretFile, checkSettings } from './check-settings';
import type { Finding } from './finding';

/** What the command line found out before the examination. */
interface Surroundings {
  /** What the start on this data directory reports; null if none runs. */
  running: { url?: string } | null;
  /** Why nothing can listen on HOST and PORT; null if something can. */
  whyNotListen: string | null;
  /** The migrations of this version, oldest first. */
  known: string[];
}

/** Runs all checks and returns their findings. Changes nothing. */
export async function examine({ running, whyNotListen, known }: Surroundings): Promise<Finding[]> {
  try {
    const found = await Promise.all([
      checkSettings(env),
      checkSecretFile(env),
      checkDisk(env),
      checkDatabase(env, known),
      checkPort(env, running, whyNotListen),
      checkNameServers(env),
      checkEgress(env),
      checkMail(env),
      checkStores(env),
    ]);
    return found.flat();
  } finally {
    closeMail();
  }
}
