import { canParseUrl } from '@/server/platform/schema';
import { digest } from '../../convert/conversion';
import { type Row, readJson, textOf, toRow, toRows } from '../../convert/rows';
import { readYaml } from '../../convert/yaml';
import { cut, type DraftBuilder, NotCarriedOver, toTags, UnreadableFile } from '../../draft';

const OTHER = 'This is no OpenAPI document: it has no openapi or swagger version, or no paths.';

function readDocument(file: Buffer): Row {
  // JSON is parsed faster than YAML, which includes it.
  const isJson = /^\s*\{/.test(file.subarray(0, 100).toString());
  const [document = {}] = isJson ? [toRow(readJson(file))] : readYaml(file);
  const hasVersion = textOf(document, 'openapi') !== '' || textOf(document, 'swagger') !== '';
  if (!hasVersion || Object.keys(toRow(document.paths)).length === 0) throw new UnreadableFile(OTHER);
  return document;
}

/** The first server of a list, with the defaults of its variables; empty without one. */
function serverOf(servers: unknown): string {
  const [server = {}] = toRows(servers);
  const variables = toRow(server.variables);
  const fill = (_: string, name: string) =>
    Object.hasOwn(variables, name) ? textOf(toRow(variables[name]), 'default') : '';
  return textOf(server, 'url')
    .slice(0, 2_048)
    .replaceAll(/\{([^{}]*)\}/g, fill);
}

/** The address of the API: its first server, or host and base path of Swagger 2. */
function baseOf(document: Row): string {
  if (textOf(document, 'swagger') === '') return serverOf(document.servers);
  const host = textOf(document, 'host');
  const schemes = Array.isArray(document.schemes) ? document.schemes : [];
  const scheme = schemes.includes('https') || schemes.length === 0 ? 'https' : 'http';
  return host === '' ? '' : `${scheme}://${host}${textOf(document, 'basePath')}`;
}

/** The object that a reference within the document names, or the object itself. */
function resolve(document: Row, value: Row): Row {
  const reference = textOf(value, '$ref');
  if (!reference.startsWith('#/')) return value;
  let found: unknown = document;
  for (const part of reference.slice(2, 300).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = Object.hasOwn(toRow(found), name) ? toRow(found)[name] : null;
  }
  return toRow(found);
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** The value of a required parameter that the document gives: an example or a default. */
function exampleOf(parameter: Row): string | null {
  const schema = toRow(parameter.schema);
  const values = [parameter.example, schema.example, schema.default, parameter.default];
  const found = values.find(isScalar);
  return found === undefined ? null : String(found);
}

interface Request {
  query: URLSearchParams;
  headers: Record<string, string>;
}

/** The request with its required parameters. */
function requestOf(document: Row, parameters: Row[], notes: string[]): Request {
  const query = new URLSearchParams();
  const headers: [string, string][] = [];
  for (const parameter of parameters.map((each) => resolve(document, each))) {
    const place = textOf(parameter, 'in');
    if (parameter.required !== true || place === 'path') continue;
    const name = textOf(parameter, 'name');
    const example = exampleOf(parameter);
    if (example === null || !['query', 'header'].includes(place)) {
      throw new NotCarriedOver(`It needs the ${cut(place, 20)} parameter ${cut(name, 60)}, which has no example.`);
    }
    if (place === 'query') query.set(name, example);
    else headers.push([name, example]);
    notes.push(`The parameter ${cut(name, 60)} has the value of its example.`);
  }
  return { query, headers: Object.fromEntries(headers) };
}

/** The names of the security schemes that a request needs; none if it can be made without. */
function schemesOf(document: Row, operation: Row): string[] {
  const needed = toRows(operation.security ?? document.security);
  if (needed.length === 0 || needed.some((each) => Object.keys(each).length === 0)) return [];
  return Object.keys(needed[0] ?? {});
}

function addPath(document: Row, path: string, item: Row, builder: DraftBuilder): void {
  const operation = toRow(item.get);
  const name = cut(textOf(operation, 'summary') || textOf(operation, 'operationId') || path, 120) || path;
  builder.addMonitor({ key: digest(path), name, from: `GET ${cut(path, 60)}` }, () => {
    if (item.get === undefined) throw new NotCarriedOver('It cannot be read: it has no GET.');
    const [, parameter] = /\{([^{}]*)\}/.exec(path) ?? [];
    if (parameter !== undefined) throw new NotCarriedOver(`It needs the path parameter ${cut(parameter, 60)}.`);
    const base = serverOf(operation.servers) || serverOf(item.servers) || baseOf(document);
    if (!/^https?:/i.test(base) || !canParseUrl(base)) {
      throw new NotCarriedOver('The document has no complete URL of a server. Add it under servers.');
    }
    const notes: string[] = [];
    const { query, headers } = requestOf(
      document,
      [...toRows(item.parameters), ...toRows(operation.parameters)],
      notes,
    );
    const schemes = schemesOf(document, operation);
    if (schemes.length > 0) {
      notes.push(
        `It needs a secret (${cut(schemes.join(', '), 100)}): enter it under Authentication or Headers before you resume it. It is created paused.`,
      );
    }
    if (operation.deprecated === true) notes.push('It is deprecated.');
    const input = {
      type: 'http',
      config: {
        url: `${base.replace(/\/$/, '')}${path}${query.size > 0 ? `?${query}` : ''}`,
        headers,
        expectedStatus: ['200-299'],
      },
      name,
      tags: toTags(Array.isArray(operation.tags) ? operation.tags.filter((tag) => typeof tag === 'string') : []),
      isActive: schemes.length === 0,
    };
    return { input, channelKeys: null, pingToken: null, days: [], notes };
  });
}

/** Reads a document of OpenAPI 3 or Swagger 2: a monitor for each path with GET. */
export function readOpenapi(file: Buffer, builder: DraftBuilder): void {
  const document = readDocument(file);
  const { draft } = builder;
  draft.instance = digest(`${baseOf(document)} ${textOf(toRow(document.info), 'title')}`).slice(0, 12);
  draft.version = textOf(toRow(document.info), 'version').slice(0, 40) || null;
  for (const [path, item] of Object.entries(toRow(document.paths))) {
    if (path.startsWith('/')) addPath(document, path, resolve(document, toRow(item)), builder);
  }
  draft.notes.push('Each monitor expects a status of 200–299, and alerts all channels of the team.');
}
