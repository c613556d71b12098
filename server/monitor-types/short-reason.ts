/**
 * The error of a failing check in a few words: an unexpected status is shortened to "503, expected 200–299", and the regions that saw it follow a dot.
 */
export function shortReason(error: string): string {
  const [, expected, got, regions] = /^Expected status ([\d\-, ]+), got (\d+)(?: \((.+)\))?$/.exec(error) ?? [];
  if (expected === undefined || got === undefined) return error;
  return `${got}, expected ${expected.replaceAll('-', '–')}${regions === undefined ? '' : ` · ${regions}`}`;
}
