/** A monitor's state, worst first: the order in which states are listed everywhere. */
export const states = ['down', 'degraded', 'unknown', 'maintenance', 'paused', 'pending', 'up'] as const;

export type State = (typeof states)[number];

/** What a state is called. */
export const stateWords: Record<State, string> = {
  down: 'Down',
  degraded: 'Degraded',
  unknown: 'Unknown',
  maintenance: 'Maintenance',
  paused: 'Paused',
  pending: 'Pending',
  up: 'Up',
};
