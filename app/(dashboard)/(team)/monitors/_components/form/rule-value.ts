type Value = string | number | boolean;

/** Parses the value field of a rule: figures become numbers, and for JSON also true and false become booleans. Quotes make it text. */
export function readRuleValue(source: string, text: string): Value {
  const trimmed = text.trim();
  if (source === 'json') {
    try {
      const value: unknown = JSON.parse(trimmed);
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    } catch {
      // Not a JSON literal, so it is text.
    }
    return text;
  }
  const isFigure = (source === 'status' || source === 'latency') && /^-?\d+(\.\d+)?$/.test(trimmed);
  return isFigure ? Number(trimmed) : text;
}

/** Formats a value for the field, so that `readRuleValue` returns the same value. */
export function writeRuleValue(source: string, value: Value | undefined): string {
  if (value === undefined) return '';
  const text = String(value);
  return readRuleValue(source, text) === value ? text : JSON.stringify(value);
}
