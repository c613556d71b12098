type Value = string | number | boolean;

/** What the value field of a rule means: figures are numbers, and for JSON so are true and false themselves; quotes make text. */
export function readRuleValue(source: string, text: string): Value {
  const trimmed = text.trim();
  if (source === 'json') {
    try {
      const value: unknown = JSON.parse(trimmed);
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    } catch {
      // Not a JSON literal: it is meant as the text it is.
    }
    return text;
  }
  const isFigure = (source === 'status' || source === 'latency') && /^-?\d+(\.\d+)?$/.test(trimmed);
  return isFigure ? Number(trimmed) : text;
}

/** The text for the value field, from which `readRuleValue` reads the same value. */
export function writeRuleValue(source: string, value: Value | undefined): string {
  if (value === undefined) return '';
  const text = String(value);
  return readRuleValue(source, text) === value ? text : JSON.stringify(value);
}
