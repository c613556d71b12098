/** The size of a JSON text, in the terms that make it costly to parse and to validate. */
export interface JsonSize {
  /** Nested levels of objects and arrays, because some functions are recursive. */
  levels: number;
  /** The number of values, because validation visits each of them, and reports each that is invalid. */
  values: number;
  /** The number of fields of one object, because validation reports each unknown field. */
  fields: number;
}

const [QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = Buffer.from('",:[\\]{}');

/** Returns a limit that a JSON text exceeds, or null. Reads the bytes once, before the text is parsed; does not verify that it is valid JSON. */
export function exceededLimit(json: Uint8Array, most: JsonSize): keyof JsonSize | null {
  let [levels, values, isInString] = [0, 1, false];
  /** The number of fields of the object that is being read at each level. */
  const fields = new Uint16Array(most.levels + 2);
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (byte === BACKSLASH) at += 1;
    } else if (byte === BRACKET || byte === BRACE) {
      levels += 1;
      fields[levels] = 0;
    } else if (byte === BRACKET_END || byte === BRACE_END) levels -= 1;
    else if (byte === COMMA) values += 1;
    else if (byte === COLON) fields[levels] = (fields[levels] ?? 0) + 1;
    else continue;
    if (levels > most.levels) return 'levels';
    if (values > most.values) return 'values';
    if ((fields[levels] ?? 0) > most.fields) return 'fields';
  }
  return null;
}
