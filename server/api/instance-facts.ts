import { env } from '@/server/platform/env';

/** What pages need to know about the instance: whether it sends mail, or stores it for administrators. */
export function instanceFacts(): { sendsMail: boolean } {
  return { sendsMail: env.smtpUrl !== undefined };
}
