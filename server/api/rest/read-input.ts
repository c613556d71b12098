import { z } from 'zod';
import { AppError, invalidField } from '@/server/platform/errors';
import { describeUnknown } from '@/server/trpc/unknown-fields';
import type { Operation } from './operations';
import { readJson } from './read-json';

/** The largest body of a request with a credential, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The largest body of a request without one: sign-ins and links have a few short fields. */
export const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;

const tooLarge = (limit: number) =>
  new AppError('PAYLOAD_TOO_LARGE', `The body is over ${limit === MAX_BODY_BYTES ? '1 MiB' : `${limit / 1024} KiB`}.`);

/**
 * Reads a body of at most `limit` bytes. The rest of a longer body of unknown length is read and dropped before the error: aborting would close the
 * connection before the client has the response.
 * @throws AppError PAYLOAD_TOO_LARGE, VALIDATION_ERROR (truncated body)
 */
export async function readCapped(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    try {
      for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        if (size <= limit) chunks.push(chunk);
        else chunks.length = 0;
      }
    } catch (error) {
      // The client closed the connection, so nobody reads this response, and it is not a server error.
      throw new AppError('VALIDATION_ERROR', 'The request body was truncated.', { cause: error });
    }
  }
  if (size > limit) throw tooLarge(limit);
  return Buffer.concat(chunks);
}

/** Returns a schema without its optional, default and nullable wrappers. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodPrefault
  ) {
    inner = inner.unwrap();
  }
  return inner;
}

/** Parses query text as the type of its field. Returns text that does not parse unchanged, so that the schema rejects it. */
function fromQueryText(text: string, schema: z.core.$ZodType): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text);
  if (inner instanceof z.ZodBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Whether percent-encoded text is valid UTF-8 (RFC 3986); `URLSearchParams` would silently repair it. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses the query string by `shape`, which has every allowed field.
 * @param inPath fields that belong in the path, so that they are not suggested as query parameters
 * @throws AppError VALIDATION_ERROR
 */
function readQuery(url: URL, shape: Record<string, z.core.$ZodType>, inPath: string[]): Record<string, unknown> {
  if (!isDecodable(url.search)) throw invalidField('', 'The query string is not valid percent-encoding.');
  const query: Record<string, unknown> = {};
  for (const name of new Set(url.searchParams.keys())) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!schema) {
      const known = Object.keys(shape).filter((each) => !inPath.includes(each));
      throw invalidField(name, describeUnknown('query parameter', name, known));
    }
    const texts = url.searchParams.getAll(name);
    const inner = unwrap(schema);
    if (inner instanceof z.ZodArray) query[name] = texts.map((text) => fromQueryText(text, inner.element));
    else if (texts.length > 1) throw invalidField(name, 'Provide this parameter only once.');
    else query[name] = fromQueryText(texts[0] ?? '', schema);
  }
  return query;
}

/**
 * Returns the input of an operation: the query string (GET) or the JSON body, with the path parameters, which these may repeat but not contradict.
 * Other methods accept no query string. JSON stays strict; query strings, which are untyped, are parsed by the type of the field.
 * @throws AppError VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export async function readInput(
  request: Request,
  url: URL,
  operation: Operation,
  params: Record<string, string>,
  isAnonymous: boolean,
): Promise<Record<string, unknown>> {
  const { path, query: fields } = operation.input;
  const limit = isAnonymous ? MAX_ANONYMOUS_BODY_BYTES : MAX_BODY_BYTES;
  const query = readQuery(url, operation.method === 'GET' ? { ...path, ...fields } : {}, Object.keys(params));
  const given = operation.method === 'GET' ? query : readJson(await readCapped(request, limit), request.headers);
  for (const [name, value] of Object.entries(params)) {
    if (Object.hasOwn(given, name) && given[name] !== value) {
      throw invalidField(name, 'This value differs from the one in the URL. Omit it or send the same value.');
    }
  }
  return { ...given, ...params };
}
