import { MIMEType } from 'node:util';
import { AppError, invalidField } from '@/server/platform/errors';
import { exceededLimit, type JsonSize } from '@/server/platform/json-size';
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

/**
 * The limits of a body. The largest input, a status page with 500 monitors and 500 components, has ten levels, 2,500 values, and an object with the
 * display names of 500 monitors.
 */
const LIMITS: JsonSize = { levels: 100, values: 10_000, fields: 500 };

const EXCEEDED: Record<keyof JsonSize, string> = {
  levels: `The body may have at most ${LIMITS.levels} levels of objects and arrays.`,
  values: `The body may have at most ${LIMITS.values} values.`,
  fields: `An object may have at most ${LIMITS.fields} fields.`,
};

/**
 * Verifies that a JSON text has not too many levels and values, nor an object too many fields, before it is parsed.
 * @throws AppError VALIDATION_ERROR
 */
export function assertBounded(json: Uint8Array): void {
  const exceeded = exceededLimit(json, LIMITS);
  if (exceeded) throw invalidField('', EXCEEDED[exceeded]);
}

/**
 * Parses the JSON object of a request's body (RFC 8259); an empty body is an empty object. Skips a byte order mark.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE (not JSON, another charset than UTF-8, compressed), VALIDATION_ERROR (not UTF-8, not JSON, no object, too
 * many levels, values or fields, or an object with a repeated name)
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
