import { issueLink } from '@/server/auth/account-links';
import { db } from '@/server/platform/db';

/** The token of a valid link, as in its mail. */
export async function newLink(link: Parameters<typeof issueLink>[1]): Promise<string> {
  const issued = await db.$transaction((tx) => issueLink(tx, link));
  if (!issued) throw new Error('The account has too many links.');
  return issued.token;
}
