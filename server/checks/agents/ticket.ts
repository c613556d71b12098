import { keyedHash, safeEqual } from '@/server/platform/crypto';

interface Claimed {
  agentId: string;
  monitorId: string;
  version: number;
  /** When the claimed check was due, which the next claim does not share. */
  dueAt: Date;
}

const macOf = ({ agentId, monitorId, version, dueAt }: Claimed, claimedAt: number) =>
  keyedHash(`agent claim ${agentId} ${monitorId} ${version} ${dueAt.getTime()} ${claimedAt}`).toString('base64url');

/** Returns a text that proves when an agent claimed a check, so that its result cannot be dated before that. */
export const ticketOf = (claimed: Claimed, claimedAt: Date): string =>
  `${claimedAt.getTime()}.${macOf(claimed, claimedAt.getTime())}`;

/** Returns when the check of a ticket was claimed; null if the ticket is not of this claim. */
export function claimedAtOf(claimed: Claimed, ticket: string): Date | null {
  const [time = '', mac = ''] = ticket.split('.');
  const claimedAt = Number(time);
  return Number.isSafeInteger(claimedAt) && safeEqual(mac, macOf(claimed, claimedAt)) ? new Date(claimedAt) : null;
}
