/** Fields that the server manages or another form edits. */
const ASIDE = new Set([
  ...['id', 'teamId', 'type', 'status', 'lastCheckedAt', 'createdAt', 'updatedAt', 'url', 'pingUrl'],
  'components',
]);
const LONGEST = 80;

export interface ChangedValue {
  label: string;
  /** The current value, if it fits on one line. */
  now: string | null;
}

/** `intervalSeconds` → "Interval seconds". */
function labelOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shown(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The changed fields between the edited version and the current one, including config fields. */
export function changedValues(before: object, now: object): ChangedValue[] {
  const [old, present] = [before as Record<string, unknown>, now as Record<string, unknown>];
  return Object.keys({ ...old, ...present }).flatMap((name) => {
    if (ASIDE.has(name) && !(name === 'url' && !('slug' in present))) return [];
    const [from, to] = [old[name], present[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    if (name === 'config' && isObject(from) && isObject(to)) return changedValues(from, to);
    return [{ label: labelOf(name), now: shown(to) }];
  });
}
