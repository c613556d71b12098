import { env } from '@/server/platform/env';

/** Returns the URL of the invitation page. */
export function invitationUrl(token: string): string {
  return `${env.appUrl}/invite/${token}`;
}
