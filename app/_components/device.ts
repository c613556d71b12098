const BROWSERS: [name: string, pattern: RegExp][] = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
];
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
];

const first = (names: [string, RegExp][], text: string) => names.find(([, pattern]) => pattern.test(text))?.[0];

/** The device of a session: "Firefox on Linux", else the client's own name. */
export function deviceOf({ kind, userAgent }: { kind: 'dashboard' | 'tokens'; userAgent: string | null }): string {
  const browser = first(BROWSERS, userAgent ?? '');
  const system = first(SYSTEMS, userAgent ?? '');
  if (browser) return system ? `${browser} on ${system}` : browser;
  if (userAgent) return userAgent.slice(0, 60);
  return kind === 'dashboard' ? 'Unknown browser' : 'Script';
}
