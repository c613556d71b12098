import { networkOf } from '@/server/platform/caller-network';
import { withShare } from '@/server/platform/database/connection-share';
import type { Share } from '@/server/platform/fair-pool';
import type { Actor } from './actor';

/** The called procedure: changes count against limits and shares of their own. */
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
 * The share of a caller: of the credential's team, of a user without one, or of the network. Within a team, calls that change something and those that
 * read take turns, so that a team can read while it sends many bulk calls.
 */
function shareOf({ actor, address, kind }: Call): Share {
  if (actor.kind === 'anonymous') return anonymousShare(address);
  return { team: actor.team?.id ?? `user:${actor.user.id}`, host: kind === 'mutation' ? 'changes' : 'reads' };
}

/** Runs `work` with database connections of the caller's share. */
export function inShareOf<T>(call: Call, work: () => Promise<T>): Promise<T> {
  return withShare(shareOf(call), work);
}

/** Runs `work` of a caller who is not known, or not yet, with database connections of its network's share. */
export function inShareOfNetwork<T>(headers: Headers, work: () => Promise<T>): Promise<T> {
  return withShare(anonymousShare(headers.get('x-upwatch-address') ?? ''), work);
}
