import type { Layer } from '../schema';

/** An override: a person who replaces the layers of a rota for some time. */
export interface Cover {
  userId: string;
  startsAt: Date;
  endsAt: Date;
}

/** Everything that determines who is on call. */
export interface Rota {
  /** The IANA zone of all wall-clock times. */
  timezone: string;
  /** Highest priority first. */
  layers: Layer[];
  /** Oldest first. If several overlap, the latest applies. */
  overrides: Cover[];
  /** The members of the team. Turns of people who have left count as unassigned. */
  members: ReadonlySet<string>;
}

/** A time range with the person on call; null if nobody is. */
export interface Shift {
  startsAt: Date;
  endsAt: Date;
  userId: string | null;
  isOverride: boolean;
}
