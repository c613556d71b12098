/**
 * Shortens the error of a failing check. An unexpected status becomes "503, expected 200–299", followed by "·" and the regions that saw it, if any;
 * other errors stay as they are.
 */
export function shortReason(error: string): string {
  const [, expected, got, regions] = /^Expected status ([\d\-, ]+), got (\d+)(?: \((.+)\))?$/.exec(error) ?? [];
  if (expected === undefined || got === undefined) return error;
  return `${got}, expected ${expected.replaceAll('-', '–')}${regions === undefined ? '' : ` · ${regions}`}`;
}
