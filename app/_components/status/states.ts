/** The statuses of a monitor, worst first. */
export const states = ['down', 'degraded', 'unknown', 'maintenance', 'paused', 'pending', 'up'] as const;

export type State = (typeof states)[number];

/** The label of each status. */
export const stateWords: Record<State, string> = {
  down: 'Down',
  degraded: 'Degraded',
  unknown: 'Unknown',
  maintenance: 'Maintenance',
  paused: 'Paused',
  pending: 'Pending',
  up: 'Up',
};
