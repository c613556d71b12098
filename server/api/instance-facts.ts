import { env } from '@/server/platform/env';

/** What pages have to know of the instance: whether it sends mail, or keeps what it would send for its administrators. */
export function instanceFacts(): { sendsMail: boolean } {
  return { sendsMail: env.smtpUrl !== undefined };
}
