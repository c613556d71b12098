import { env } from '@/server/platform/env';

/** The page where an invitation is accepted. */
export function invitationUrl(token: string): string {
  return `${env.appUrl}/invite/${token}`;
}
