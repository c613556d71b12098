import { networkOf } from '@/server/platform/caller-network';
import { withShare } from '@/server/platform/database/connection-share';
import type { Share } from '@/server/platform/fair-pool';
import type { Actor } from './actor';

/** The kind of procedure: mutations have limits and shares of their own. */
export type CallKind = 'query' | 'mutation' | 'subscription';

interface Call {
  actor: Actor;
  address: string;
  kind: CallKind;
}

/** The share of callers without a team, divided by network. */
function anonymousShare(address: string): Share {
  return { team: 'anonymous', host: networkOf(address) };
}

/**
 * The share of a caller: that of the credential's team, of a user without a team, or of the network. Within a team, reads and mutations take turns,
 * so that a team can read while it sends many bulk calls.
 */
function shareOf({ actor, address, kind }: Call): Share {
  if (actor.kind === 'anonymous') return anonymousShare(address);
  return { team: actor.team?.id ?? `user:${actor.user.id}`, host: kind === 'mutation' ? 'changes' : 'reads' };
}

/** Runs `work` with database connections of the caller's share. */
export function inShareOf<T>(call: Call, work: () => Promise<T>): Promise<T> {
  return withShare(shareOf(call), work);
}

/** Runs `work` of a caller who is anonymous or not resolved yet with database connections of its network's share. */
export function inShareOfNetwork<T>(headers: Headers, work: () => Promise<T>): Promise<T> {
  return withShare(anonymousShare(headers.get('x-upwatch-address') ?? ''), work);
}
