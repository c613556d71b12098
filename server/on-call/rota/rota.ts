import type { Layer } from '../schema';

/** Who replaces the layers of a rota, and when. */
export interface Cover {
  userId: string;
  startsAt: Date;
  endsAt: Date;
}

/** Everything that decides who is on call. */
export interface Rota {
  /** The IANA zone of all wall-clock times. */
  timezone: string;
  /** The highest first: it is asked before those below it. */
  layers: Layer[];
  /** Oldest first: of those that overlap, the latest counts. */
  overrides: Cover[];
  /** The members of the team: the turn of somebody who has left is nobody's. */
  members: ReadonlySet<string>;
}

/** A stretch of time with who is on call; null: nobody. */
export interface Shift {
  startsAt: Date;
  endsAt: Date;
  userId: string | null;
  isOverride: boolean;
}
