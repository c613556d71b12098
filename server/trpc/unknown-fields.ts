import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { Issue } from '@/server/platform/errors';

/** Adds the known keys of a strict object to zod's issue, which only contains the unknown ones, for `unknownFieldIssues`. */
z.config({
  customError: (issue) => {
    if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
      issue.params = { known: Object.keys(issue.inst.shape) };
    }
    return undefined;
  },
});

/** A longer name is not compared with known ones, and is cut in the message. */
const LONGEST_NAME = 100;

const cut = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** Whether one name is probably a typo or an abbreviation of the other ("interval", "intervalSeconds"). */
function isNear(name: string, known: string): boolean {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()];
  if (a.length >= 3 && b.length >= 3 && (a.includes(b) || b.includes(a))) return true;
  return distance(a, b) <= Math.max(1, Math.floor(Math.max(a.length, b.length) * 0.4));
}

/** Describes an unknown name with the nearest known one, or with all of them if none is near. */
export function describeUnknown(kind: 'field' | 'query parameter', name: string, known: string[]): string {
  const near = name.length > LONGEST_NAME ? [] : known.filter((each) => isNear(name, each));
  if (near.length > 0) return `Unknown ${kind}. Did you mean ${closest(name, near)}?`;
  return known.length > 0
    ? `Unknown ${kind}. Known fields are ${known.join(', ')}.`
    : `Unknown ${kind}. None are allowed here.`;
}

/** The maximum number of issues, because finding suggestions costs time and nobody reads more. */
const MOST_NAMED = 20;

/** Returns one issue per unknown key of a strict object, for the first 20. */
export function unknownFieldIssues({
  keys,
  path,
  params,
}: z.core.$ZodIssueUnrecognizedKeys & { params?: { known: string[] } }): Issue[] {
  return keys.slice(0, MOST_NAMED).map((key) => ({
    path: [...path, cut(key)].map(String).join('.'),
    message: describeUnknown('field', key, params?.known ?? []),
  }));
}
