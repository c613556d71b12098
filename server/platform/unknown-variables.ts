import { closest, distance } from 'fastest-levenshtein';

/** How many letters may differ: other programs' variables must not be taken for ours. */
function mostLetters(name: string): number {
  if (name.length <= 5) return 1;
  return name.length <= 12 ? 2 : 3;
}

/**
 * Names in the environment that are likely meant for Upwatch and are not its own: written otherwise, with its name before
 * them, or with a letter or two wrong.
 *
 * @returns each with the name that was likely meant
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
