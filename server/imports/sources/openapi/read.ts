import { canParseUrl } from '@/server/platform/schema';
import { digest } from '../../convert/conversion';
import { nameOfAddress } from '../../convert/name';
import { type Row, readJson, textOf, toRow, toRows } from '../../convert/rows';
import { readYaml } from '../../convert/yaml';
import { cut, type DraftBuilder, NotCarriedOver, toTags, UnreadableFile } from '../../draft';

const OTHER = 'This file is not an OpenAPI document: it has no openapi or swagger version, or no paths.';
/** The maximum number of entries of a list that are read for each path. */
const MOST_SHARED = 100;

function readDocument(file: Buffer): Row {
  // JSON is parsed faster than YAML, which includes it.
  const isJson = /^\s*\{/.test(file.subarray(0, 100).toString());
  const [document = {}] = isJson ? [toRow(readJson(file))] : readYaml(file);
  const hasVersion = textOf(document, 'openapi') !== '' || textOf(document, 'swagger') !== '';
  if (!hasVersion || Object.keys(toRow(document.paths)).length === 0) throw new UnreadableFile(OTHER);
  return document;
}

/** Returns the first rows of a list. All paths can share a list, so reading all of it for each path would take too long. */
const firstRows = (value: unknown) => (Array.isArray(value) ? toRows(value.slice(0, MOST_SHARED)) : []);

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

/** Returns the URL of the first server in a list, with the defaults of its variables; empty without one. */
function serverOf(servers: unknown): string {
  const [server = {}] = firstRows(servers);
  const variables = toRow(server.variables);
  const fill = (_: string, name: string) =>
    Object.hasOwn(variables, name) ? textOf(toRow(variables[name]), 'default') : '';
  return textOf(server, 'url')
    .slice(0, 2_048)
    .replaceAll(/\{([^{}]*)\}/g, fill);
}

/** Returns a note that names the chosen server, if the list has several or the server has variables. */
function choiceOf(servers: unknown): string[] {
  const [server = {}] = firstRows(servers);
  const choices: string[] = [];
  if (lengthOf(servers) > 1) choices.push(`the first of ${lengthOf(servers)} servers`);
  if (/\{[^{}]+\}/.test(textOf(server, 'url').slice(0, 2_048))) choices.push('with the defaults of its variables');
  return choices.length === 0 ? [] : [`The server is ${nameOfAddress(serverOf(servers))}, ${choices.join(' ')}.`];
}

/**
 * Checks that a server is a complete URL that other computers can reach.
 * @throws NotCarriedOver
 */
function assertServer(base: string): void {
  if (base === '') throw new NotCarriedOver('The document has no complete URL of a server. Add it under servers.');
  if (!/^https?:/i.test(base) || !canParseUrl(base)) {
    throw new NotCarriedOver('Its server is not a complete URL. Write one with https:// and a host under servers.');
  }
  if (/^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/.test(new URL(base).hostname)) {
    throw new NotCarriedOver(
      `Its server ${nameOfAddress(base)} is the computer that runs it. Write its public URL first under servers.`,
    );
  }
}

/** Returns the base URL of the API: its first server, or host and base path of Swagger 2. Empty if there is none. */
function baseOf(document: Row): string {
  if (textOf(document, 'swagger') === '') return serverOf(document.servers);
  const host = textOf(document, 'host');
  const schemes = Array.isArray(document.schemes) ? document.schemes : [];
  const scheme = schemes.includes('https') || schemes.length === 0 ? 'https' : 'http';
  return host === '' ? '' : `${scheme}://${host}${textOf(document, 'basePath')}`;
}

/** Resolves a `$ref` within the document. Returns an object without one as it is, and an empty row for an unknown reference. */
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

/** Returns the value that the document gives for a parameter: an example or a default; null if there is none. */
function exampleOf(document: Row, parameter: Row): string | null {
  const schema = resolve(document, toRow(parameter.schema));
  const [example] = Object.values(toRow(parameter.examples));
  const values = [
    parameter.example,
    resolve(document, toRow(example)).value,
    schema.example,
    Array.isArray(schema.examples) ? schema.examples[0] : undefined,
    schema.default,
    parameter.default,
  ];
  const found = values.find(isScalar);
  return found === undefined ? null : String(found);
}

const textsOf = (value: unknown) =>
  Array.isArray(value) ? value.slice(0, MOST_SHARED).filter((each) => typeof each === 'string') : [];

interface Request {
  query: URLSearchParams;
  headers: Record<string, string>;
}

/**
 * Returns the parameters of an operation. Its own replace those of the path with the same name and place.
 * @throws NotCarriedOver for too many
 */
function parametersOf(document: Row, item: Row, operation: Row): Row[] {
  if (lengthOf(item.parameters) + lengthOf(operation.parameters) > MOST_SHARED) {
    throw new NotCarriedOver(`It has more than ${MOST_SHARED} parameters.`);
  }
  const all = [...toRows(item.parameters), ...toRows(operation.parameters)].map((each) => resolve(document, each));
  return [...new Map(all.map((each) => [`${textOf(each, 'in')} ${textOf(each, 'name')}`, each])).values()];
}

/** Returns whether OpenAPI 3 requires that a parameter is ignored, because other fields of the document describe these headers. */
const isIgnored = (document: Row, place: string, name: string) =>
  textOf(document, 'swagger') === '' &&
  place === 'header' &&
  ['accept', 'content-type', 'authorization'].includes(name.toLowerCase());

/**
 * Returns the query and headers of a request with the values of its required parameters. Adds a note for each.
 * @throws NotCarriedOver for a required parameter without an example
 */
function requestOf(document: Row, parameters: Row[], notes: string[]): Request {
  const query = new URLSearchParams();
  const headers: [string, string][] = [];
  for (const parameter of parameters) {
    const place = textOf(parameter, 'in');
    if (parameter.required !== true || place === 'path') continue;
    const name = textOf(parameter, 'name');
    if (isIgnored(document, place, name)) continue;
    const example = exampleOf(document, parameter);
    if (example === null || !['query', 'header'].includes(place)) {
      throw new NotCarriedOver(`It needs the ${cut(place, 20)} parameter ${cut(name, 60)}, which has no example.`);
    }
    if (place === 'query') query.set(name, example);
    else headers.push([name, example]);
    notes.push(`The parameter ${cut(name, 60)} has the value of its example.`);
  }
  return { query, headers: Object.fromEntries(headers) };
}

/** Returns the names of the security schemes that a request needs; empty if it can be made without. */
function schemesOf(document: Row, operation: Row): string[] {
  const needed = firstRows(operation.security ?? document.security);
  if (needed.length === 0 || needed.some((each) => Object.keys(each).length === 0)) return [];
  return Object.keys(needed[0] ?? {});
}

function addPath(document: Row, base: string, path: string, item: Row, builder: DraftBuilder): void {
  const operation = toRow(item.get);
  const name = cut(textOf(operation, 'summary') || textOf(operation, 'operationId') || path, 120) || path;
  builder.addMonitor({ key: digest(path), name, from: `GET ${cut(path, 60)}` }, () => {
    if (item.get === undefined) throw new NotCarriedOver('It cannot be read: it has no GET.');
    const [, parameter] = /\{([^{}]*)\}/.exec(path) ?? [];
    if (parameter !== undefined) throw new NotCarriedOver(`It needs the path parameter ${cut(parameter, 60)}.`);
    const own = [operation.servers, item.servers].find((servers) => serverOf(servers) !== '');
    const server = own === undefined ? base : serverOf(own);
    assertServer(server);
    const notes = choiceOf(own);
    const { query, headers } = requestOf(document, parametersOf(document, item, operation), notes);
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
        url: `${server.replace(/\/$/, '')}${path}${query.size > 0 ? `?${query}` : ''}`,
        headers,
        expectedStatus: ['200-299'],
      },
      name,
      tags: toTags(textsOf(operation.tags)),
      isActive: schemes.length === 0,
    };
    return { input, notes };
  });
}

/** Reads a document of OpenAPI 3 or Swagger 2. Each path with a GET operation becomes a monitor. */
export function readOpenapi(file: Buffer, builder: DraftBuilder): void {
  const document = readDocument(file);
  const { draft } = builder;
  const base = baseOf(document);
  draft.instance = digest(`${base} ${textOf(toRow(document.info), 'title')}`).slice(0, 12);
  draft.version = textOf(toRow(document.info), 'version').slice(0, 40) || null;
  for (const [path, item] of Object.entries(toRow(document.paths))) {
    if (path.startsWith('/')) addPath(document, base, path, resolve(document, toRow(item)), builder);
  }
  if (textOf(document, 'swagger') === '') draft.notes.push(...choiceOf(document.servers));
  draft.notes.push('Each monitor expects a status of 200–299, and alerts all channels of the team.');
}
