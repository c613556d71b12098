import fc from 'fast-check';
import { fromSchema, type Schema, type Source } from './from-schema';

interface Parameter {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

interface DocumentOperation {
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** The parts of an OpenAPI 3.1 document that requests are generated from. */
export interface Document {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

/** A request generated from the document: mostly valid, sometimes with one value changed. */
export interface DocumentRequest {
  method: string;
  path: string;
  /** Which of the caller's credentials to send. */
  credential: number;
  headers: Record<string, string>;
  body: string | null;
}

/** Operations that would remove the test's own callers. */
const ENDING = ['POST /dashboard/me/password', 'POST /admin/users/{userId}/force-delete'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 53, '', 'x'.repeat(3_000), [], {}, [null], { a: { b: [] } }),
  fc.string({ maxLength: 20 }),
);

/** A value with one field, at any depth, made odd, dropped or added. */
function changed(value: unknown): fc.Arbitrary<unknown> {
  return fc.tuple(fc.nat(), fc.constantFrom('set', 'drop', 'add'), odd).map(([pick, how, other]) => {
    const copy: unknown = structuredClone(value);
    const places: [Record<string, unknown>, string][] = [];
    const walk = (node: unknown) => {
      if (typeof node !== 'object' || node === null) return;
      for (const key of Object.keys(node)) {
        places.push([node as Record<string, unknown>, key]);
        walk((node as Record<string, unknown>)[key]);
      }
    };
    walk(copy);
    const place = places[pick % Math.max(places.length, 1)];
    if (!place) return other;
    const [node, key] = place;
    // Addresses to connect to stay on this machine.
    if (/^(url|tokenUrl|webhookUrl|host|serverName|resolver|packetCount)$/.test(key)) return copy;
    if (how === 'drop' && !Array.isArray(node) && key !== 'recordType') delete node[key];
    else if (how === 'add' && !Array.isArray(node)) node.unknownField = other;
    else node[key] = other;
    return copy;
  });
}

function requestOf(
  [path, method, operation]: [string, string, DocumentOperation],
  { parameters = {} }: Document['components'],
  source: Source,
  credentials: number,
): fc.Arbitrary<DocumentRequest> {
  const takesKeys = operation.security?.some((scheme) => 'apiKey' in scheme) ?? false;
  const all = (operation.parameters ?? []).map((each) => {
    const named = each.$ref ? parameters[each.$ref.split('/').at(-1) ?? ''] : each;
    if (!named) throw new Error(`There is no parameter ${each.$ref}.`);
    return named;
  });
  const named = (place: string) => all.filter((parameter) => parameter.in === place);
  // Mostly an ID of the kind that the path takes.
  const own = source.ids[path.split('/{')[0]?.replace(/^\/dashboard\/monitors$/, '/api/v1/monitors') ?? ''] ?? [];
  const inPath = fc.record(
    Object.fromEntries(
      named('path').map(({ name }) => {
        const any = fc.constantFrom(...Object.values(source.ids).flat());
        return [name, own.length > 0 ? fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...own) }, any) : any] as const;
      }),
    ),
  );
  const inQuery = fc.record(
    Object.fromEntries(named('query').map(({ name, schema }) => [name, fromSchema(schema, source)])),
    { requiredKeys: [] },
  );
  const content = operation.requestBody?.content['application/json'];
  const fits = content ? fromSchema(content.schema, source) : fc.constant(undefined);
  const body = content
    ? fc.oneof({ weight: 7, arbitrary: fits }, { weight: 2, arbitrary: fits.chain(changed) })
    : fc.constant(undefined);
  return fc
    .record({
      inPath,
      inQuery,
      body,
      // The first credential is the owner, who may do everything; the second is their key.
      credential: fc.oneof(
        { weight: 7, arbitrary: fc.constantFrom(0, takesKeys ? 1 : 0) },
        { weight: 2, arbitrary: fc.nat({ max: credentials - 1 }) },
      ),
      retryKey: fc.oneof(
        { weight: 9, arbitrary: fc.constant(null) },
        fc.oneof({ weight: 3, arbitrary: fc.uuid() }, fc.constantFrom('a', ' ', 'x'.repeat(300))),
      ),
    })
    .map(({ inPath: values, inQuery: query, body: given, credential, retryKey }) => {
      const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? 'x')));
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]) => [name, String(value).toWellFormed()]),
      ).toString();
      return {
        method: method.toUpperCase(),
        path: search === '' ? filled : `${filled}?${search}`,
        credential,
        headers: {
          ...(given !== undefined && { 'content-type': 'application/json' }),
          ...(retryKey !== null && method === 'post' && { 'idempotency-key': retryKey }),
        },
        body: given === undefined ? null : JSON.stringify(given),
      };
    });
}

/**
 * Requests for every operation of a document except those that would remove the test's own callers.
 * @param ids of existing objects, by the path that lists them
 * @param credentials the number of credentials
 */
export function documentRequests(
  { paths, components }: Document,
  ids: Record<string, string[]>,
  credentials: number,
): fc.Arbitrary<DocumentRequest> {
  const source: Source = { schemas: components.schemas, ids, made: new Map() };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const isOut = !operation || ENDING.includes(`${method.toUpperCase()} ${path}`);
      if (isOut) return [];
      const arbitrary = requestOf([path, method, operation], components, source, credentials);
      // Deleting leaves less for later requests.
      return [{ weight: method === 'delete' ? 1 : 3, arbitrary }];
    }),
  );
  return fc.oneof(...operations);
}
