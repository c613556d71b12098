/** The size of a JSON text, by what makes it costly to parse and to validate. */
export interface JsonSize {
  /** Levels of objects and arrays: some functions of the language recurse. */
  levels: number;
  /** Validation visits each value, and reports each that is wrong. */
  values: number;
  /** Of one object: validation reports each unknown field. */
  fields: number;
}

const [QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = Buffer.from('",:[\\]{}');

/** The limit that a JSON text exceeds, or null. Reads its bytes once, before it is parsed. */
export function exceededLimit(json: Uint8Array, most: JsonSize): keyof JsonSize | null {
  let [levels, values, isInString] = [0, 1, false];
  /** By level; of the object or array that is read at this level. */
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
