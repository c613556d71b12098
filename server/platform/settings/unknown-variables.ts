import { closest, distance } from 'fastest-levenshtein';

/** Returns the maximum edit distance of a typo, small enough not to match variables of other programs. */
function mostLetters(name: string): number {
  if (name.length <= 5) return 1;
  return name.length <= 12 ? 2 : 3;
}

/**
 * Finds unknown variables that are probably meant for Upwatch: the wrong case, a known name as a prefix, or a typo.
 * @returns each with the probable setting
 */
export function findUnknownVariables(names: string[], known: string[]): { name: string; meant: string }[] {
  return names.flatMap((name) => {
    if (known.includes(name)) return [];
    const plain = name
      .toUpperCase()
      .replaceAll('-', '_')
      .replace(/^UPWATCH_/, '');
    const meant = closest(plain, known);
    return distance(plain, meant) <= mostLetters(meant) ? [{ name, meant }] : [];
  });
}
