/**
 * Shortens the error of a failing check. An unexpected status becomes "503, expected 200–299", after the step if there is one, and followed by "·" and
 * the regions that saw it, if any; other errors stay as they are.
 */
export function shortReason(error: string): string {
  const [, step = '', expected, got, regions] =
    /^(Step \d+ ".{1,60}": )?Expected status ([\d\-, ]+), got (\d+)(?: \((.+)\))?$/.exec(error) ?? [];
  if (expected === undefined || got === undefined) return error;
  return `${step}${got}, expected ${expected.replaceAll('-', '–')}${regions === undefined ? '' : ` · ${regions}`}`;
}
