import { closest, distance } from 'fastest-levenshtein';

/** The maximum edit distance: variables of other programs must not match. */
function mostLetters(name: string): number {
  if (name.length <= 5) return 1;
  return name.length <= 12 ? 2 : 3;
}

/**
 * Variables that are probably meant for Upwatch but are unknown: another case, its name as a prefix, or a typo.
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
