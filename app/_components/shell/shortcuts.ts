/** Keys and what they do. Several keys are pressed one after the other; `mod` is ⌘ or Ctrl. */
export interface Shortcut {
  keys: readonly string[];
  does: string;
  /** Pressed with others or only where the focus is, so that it stays when single keys are switched off. */
  stays?: boolean;
}

/** Every shortcut, by where it works. */
export const shortcuts: readonly { where: string; list: readonly Shortcut[] }[] = [
  {
    where: 'Everywhere',
    list: [
      { keys: ['?'], does: 'Show keyboard shortcuts' },
      { keys: ['['], does: 'Collapse or expand the sidebar' },
      { keys: ['G', 'M'], does: 'Go to monitors' },
      { keys: ['G', 'I'], does: 'Go to incidents' },
      { keys: ['G', 'C'], does: 'Go to channels' },
      { keys: ['G', 'P'], does: 'Go to status pages' },
      { keys: ['G', 'T'], does: 'Go to the team' },
      { keys: ['G', 'S'], does: 'Go to settings' },
      { keys: ['mod', '↵'], does: 'Save the form or note being edited', stays: true },
    ],
  },
  {
    where: 'List of monitors',
    list: [
      { keys: ['/'], does: 'Search' },
      { keys: ['J'], does: 'Next monitor' },
      { keys: ['K'], does: 'Previous monitor' },
      { keys: ['↵'], does: 'Open the monitor', stays: true },
      { keys: ['N'], does: 'New monitor' },
    ],
  },
  {
    where: 'A monitor, or its row in the list',
    list: [
      { keys: ['C'], does: 'Check now' },
      { keys: ['P'], does: 'Pause or resume' },
      { keys: ['E'], does: 'Edit' },
    ],
  },
  { where: 'An incident', list: [{ keys: ['A'], does: 'Acknowledge' }] },
  {
    where: 'A chart that has the focus',
    list: [
      { keys: ['←', '→'], does: 'Move through the values', stays: true },
      { keys: ['T'], does: 'Show a table instead', stays: true },
      { keys: ['↵'], does: 'Open the day, in the bars of 90 days', stays: true },
    ],
  },
];

/** Where the key after G leads. */
export const goTo: Record<string, string> = {
  m: '/monitors',
  i: '/incidents',
  c: '/channels',
  p: '/status-pages',
  t: '/team',
  s: '/settings',
};
