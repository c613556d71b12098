/** A shortcut. Several keys are pressed in sequence; `mod` is ⌘ or Ctrl. */
export interface Shortcut {
  keys: readonly string[];
  does: string;
  /** Works even if single-key shortcuts are off: a combination, or a key of the focused element. */
  stays?: boolean;
}

/** All shortcuts, by scope. */
export const shortcuts: readonly { where: string; list: readonly Shortcut[] }[] = [
  {
    where: 'Everywhere',
    list: [
      { keys: ['mod', 'K'], does: 'Search and run commands', stays: true },
      { keys: ['?'], does: 'Show keyboard shortcuts' },
      { keys: ['['], does: 'Collapse or expand the sidebar' },
      { keys: ['G', 'M'], does: 'Go to monitors' },
      { keys: ['G', 'I'], does: 'Go to incidents' },
      { keys: ['G', 'O'], does: 'Go to on-call' },
      { keys: ['G', 'W'], does: 'Go to maintenance' },
      { keys: ['G', 'R'], does: 'Go to reports' },
      { keys: ['G', 'C'], does: 'Go to channels' },
      { keys: ['G', 'P'], does: 'Go to status pages' },
      { keys: ['G', 'T'], does: 'Go to team' },
      { keys: ['G', 'S'], does: 'Go to settings' },
      { keys: ['mod', '↵'], does: 'Save the current form or note', stays: true },
    ],
  },
  {
    where: 'Monitors list',
    list: [
      { keys: ['/'], does: 'Search' },
      { keys: ['J'], does: 'Next monitor' },
      { keys: ['K'], does: 'Previous monitor' },
      { keys: ['↵'], does: 'Open monitor', stays: true },
      { keys: ['X'], does: 'Select the focused monitor' },
      { keys: ['N'], does: 'New monitor' },
    ],
  },
  {
    where: 'Monitor page or row',
    list: [
      { keys: ['C'], does: 'Check now' },
      { keys: ['P'], does: 'Pause or resume' },
      { keys: ['E'], does: 'Edit' },
    ],
  },
  {
    where: 'Incidents list',
    list: [
      { keys: ['/'], does: 'Search' },
      { keys: ['X'], does: 'Select the focused incident' },
      { keys: ['Shift', 'X'], does: 'Select all up to the focused incident' },
    ],
  },
  { where: 'Incident page', list: [{ keys: ['A'], does: 'Acknowledge' }] },
  {
    where: 'Focused chart',
    list: [
      { keys: ['←', '→'], does: 'Move between values', stays: true },
      { keys: ['↵', '↵'], does: 'Zoom into the part between two values (response time)', stays: true },
      { keys: ['T'], does: 'Show as table', stays: true },
      { keys: ['↵'], does: 'Open the day (90-day bars)', stays: true },
    ],
  },
];

/** The targets of the key after G. */
export const goTo: Record<string, string> = {
  m: '/monitors',
  i: '/incidents',
  o: '/on-call',
  w: '/maintenance',
  r: '/reports',
  c: '/channels',
  p: '/status-pages',
  t: '/team',
  s: '/settings',
};
