import { MIMEType } from 'node:util';
import { AppError, invalidField } from '@/server/platform/errors';
import { findRepeatedName } from './repeated-name';

/** Whether a media type is JSON in UTF-8 (RFC 8259 §8.1, RFC 6839 §3.1 for `+json`). A given charset must be UTF-8. */
function isUtf8Json(contentType: string | null): boolean {
  let type: MIMEType;
  try {
    type = new MIMEType(contentType ?? '');
  } catch {
    return false;
  }
  const charset = type.params.get('charset')?.toLowerCase() ?? 'utf-8';
  return (type.essence === 'application/json' || type.subtype.endsWith('+json')) && /^utf-?8$/.test(charset);
}

/** Levels of objects and arrays in a body. No input has more than ten; some functions of the language recurse. */
const MOST_LEVELS = 100;
/** The maximum number of values in a body, because validation visits each. The largest input, a status page with 500 monitors and 500 components, has 2,500. */
const MOST_VALUES = 10_000;
/** The maximum number of fields of one object, because validation reports each. The largest one has a display name for each of a page's 500 monitors. */
const MOST_FIELDS = 500;

const [QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = Buffer.from('",:[\\]{}');

/**
 * Counts the levels and values of a JSON text, and the fields of each object, before it is parsed, in one pass over its bytes.
 * @throws AppError VALIDATION_ERROR for a text with too many
 */
export function assertBounded(json: Uint8Array): void {
  let [levels, values, isInString] = [0, 1, false];
  /** By level; of the object or array that is read at this level. */
  const fields = new Uint16Array(MOST_LEVELS + 2);
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
    if (levels > MOST_LEVELS) {
      throw invalidField('', `The body may have at most ${MOST_LEVELS} levels of objects and arrays.`);
    }
    if (values > MOST_VALUES) throw invalidField('', `The body may have at most ${MOST_VALUES} values.`);
    if ((fields[levels] ?? 0) > MOST_FIELDS)
      throw invalidField('', `An object may have at most ${MOST_FIELDS} fields.`);
  }
}

/**
 * The JSON object of a request's body (RFC 8259); an empty body is an empty object. A byte order mark is skipped.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE (not JSON, another charset than UTF-8, compressed), VALIDATION_ERROR (not UTF-8, not JSON, no object, too many
 * levels, values or fields, or an object with a repeated name)
 */
export function readJson(bytes: Uint8Array, headers: Headers): Record<string, unknown> {
  if (bytes.byteLength === 0) return {};
  if (!isUtf8Json(headers.get('content-type'))) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, in UTF-8.');
  }
  if ((headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content encoding.');
  }
  assertBounded(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidField('', 'The body is not valid UTF-8.');
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidField('', 'The body is not valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField('', 'The body must be a JSON object.');
  }
  const repeated = findRepeatedName(text);
  if (repeated !== null) throw invalidField(repeated, 'This name appears more than once in the object.');
  return body as Record<string, unknown>;
}
