import fc from 'fast-check';

/** The parts of JSON Schema (OpenAPI 3.1) that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export interface Source {
  /** The document's schemas by name. */
  schemas: Record<string, Schema>;
  /** IDs of existing objects, by the path that lists them. */
  ids: Record<string, string[]>;
  /** Generators made so far. A schema is referenced in many places, and each generator takes memory. */
  made: Map<string, fc.Arbitrary<unknown>>;
}

const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
/** Characters of several bytes and code units, of zero width, and right-to-left. */
const uncommon = fc.oneof(printable, fc.constantFrom('é', 'ß', '漢', '\u202e', '\u200b', '🔑', '👩‍💻'));
/** Characters that no text, or no single-line text, may contain. */
const control = fc.oneof(printable, fc.constantFrom('\u0000', '\u0001', '\n', '\u007f'));

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const MOST_ITEMS = 4;
const USUAL_LENGTH = 40;

const timeIn = (from: string, to: string) =>
  fc.date({ noInvalidDate: true, min: new Date(from), max: new Date(to) }).map((date) => date.toISOString());

/**
 * Fields whose values are fixed: hosts, so that no request of a test leaves this machine; settings that make a check
 * slow; and fields whose rules the schema does not express.
 */
const local: Record<string, fc.Arbitrary<unknown>> = {
  url: fc.constantFrom(
    'http://127.0.0.1:9/',
    'http://127.0.0.1:9/a?b=c&d',
    'ws://127.0.0.1:9/a',
    'http://[::1]:9/?é#x',
  ),
  tokenUrl: fc.constant('http://127.0.0.1:9/token'),
  webhookUrl: fc.constant('http://127.0.0.1:9/hook'),
  host: fc.constantFrom(...LOOPBACK),
  serverName: fc.constantFrom(...LOOPBACK),
  resolver: fc.constant('127.0.0.1:9'),
  packetCount: fc.integer({ min: 1, max: 3 }),
  startsAt: timeIn('2026-01-01', '2026-06-30'),
  endsAt: timeIn('2026-07-01', '2026-12-31'),
  from: timeIn('2026-01-01', '2026-02-01'),
  to: timeIn('2026-03-01', '2026-04-01'),
  tags: fc.array(fc.constantFrom('shop', 'a b', 'é', 'x'.repeat(50), 'Upper'), { maxLength: 2 }),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Nowhere/At-all'),
  cron: fc.constantFrom('0 3 * * 1-5', '* * * * *', '0 0 31 2 *', 'every day'),
};

function fromPattern(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 });
  } catch {
    // A character class that the generator does not support, such as \P{Lu}.
    return fc.string({ maxLength: USUAL_LENGTH }).map((text) => text.toLowerCase());
  }
}

function textOf({ pattern, format, minLength = 0, maxLength = 200 }: Schema, { ids }: Source): fc.Arbitrary<string> {
  if (format === 'date-time') return timeIn('2026-01-01', '2026-12-31');
  if (format === 'email') {
    const name = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    return fc.oneof({ weight: 9, arbitrary: name.map((text) => `${text}@example.test`) }, fc.emailAddress());
  }
  if (format === 'uri') return fc.constant('http://127.0.0.1:9/');
  if (format === 'base64') return fc.base64String({ maxLength: 200 });
  const isId = pattern?.startsWith('^[0-7][0-9A-HJKMNP-TV-Z]');
  if (pattern && isId) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...Object.values(ids).flat()) },
      { weight: 1, arbitrary: fromPattern(pattern) },
    );
  }
  if (pattern) return fromPattern(pattern);
  const of = (unit: fc.Arbitrary<string>) =>
    fc.string({ unit, minLength, maxLength: Math.max(minLength, Math.min(maxLength, USUAL_LENGTH)) });
  return fc.oneof(
    { weight: 40, arbitrary: of(printable) },
    { weight: 6, arbitrary: of(uncommon) },
    { weight: 2, arbitrary: of(control) },
    { weight: 2, arbitrary: fc.constant('x'.repeat(Math.min(maxLength, 5_000))) },
  );
}

function objectOf(schema: Schema, source: Source): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const any = Object.values(source.ids).flat();
  const idOf = (path: string) => {
    const own = source.ids[path] ?? [];
    return fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...(own.length > 0 ? own : any)) },
      fc.constantFrom(...any),
    );
  };
  const byName: Record<string, fc.Arbitrary<unknown>> = {
    ...local,
    monitorId: idOf('/api/v1/monitors'),
    monitorIds: fc.option(fc.array(idOf('/api/v1/monitors'), { minLength: 1, maxLength: 3 })),
    channelIds: fc.option(fc.array(idOf('/dashboard/notification-channels'), { maxLength: 3 })),
  };
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, byName[name] ?? fromSchema(field, source)]),
  );
  const known = fc.record(fields, { requiredKeys: required.filter((name) => Object.hasOwn(fields, name)) });
  if (typeof additionalProperties !== 'object') return known.map(withLocalResolver);
  const names = propertyNames ? textOf(propertyNames, source) : fc.string({ minLength: 1, maxLength: 20 });
  const others = fc.dictionary(names, fromSchema(additionalProperties, source), { maxKeys: 3 });
  return fc.tuple(others, known).map(([more, own]) => ({ ...more, ...own }));
}

/** A DNS query goes to the system's name server unless the config names one. */
function withLocalResolver(record: Record<string, unknown>): Record<string, unknown> {
  return Object.hasOwn(record, 'recordType') ? { ...record, resolver: '127.0.0.1:9' } : record;
}

/** Values that mostly match a schema; patterns and lengths are followed as far as they can be generated. */
export function fromSchema(schema: Schema, source: Source): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    const known = source.made.get(schema.$ref);
    if (known) return known;
    const named = source.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (!named) throw new Error(`There is no schema ${schema.$ref}.`);
    const made = fromSchema(named, source);
    source.made.set(schema.$ref, made);
    return made;
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => fromSchema(choice, source)));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => fromSchema({ ...schema, type }, source)));
  }
  const { minimum = -1_000, maximum = 1_000_000 } = schema;
  switch (schema.type) {
    case 'string':
      return textOf(schema, source);
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = MOST_ITEMS } = schema;
      const most = Math.max(minItems, Math.min(maxItems, MOST_ITEMS));
      return fc.array(fromSchema(items, source), { minLength: minItems, maxLength: most });
    }
    case 'object':
      return objectOf(schema, source);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
