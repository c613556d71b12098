import { env } from '@/server/platform/env';

/** Returns the settings of the instance that pages need: whether it sends mail, or stores it for administrators. */
export function instanceFacts(): { sendsMail: boolean } {
  return { sendsMail: env.smtpUrl !== undefined };
}
