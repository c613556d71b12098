/** The value that a text names; null if it names none of them. */
export function oneOf<Value extends string>(values: readonly Value[], text: string | null | undefined): Value | null {
  return values.find((value) => value === text) ?? null;
}
