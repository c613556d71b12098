/** Calls `change` with an object and every object in it. */
function walk(value: unknown, change: (object: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  change(value as Record<string, unknown>);
  for (const inner of Object.values(value)) walk(inner, change);
}

/** Leaves out what only a validator wants to know and no reader: the long form of a time, the bounds of every integer. */
export function tidy(value: unknown, isAnswer: boolean): void {
  walk(value, (schema) => {
    if (schema.format === 'date-time') delete schema.pattern;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    // An answer may get further fields one day, and a client has to bear that.
    if (isAnswer && schema.additionalProperties === false) delete schema.additionalProperties;
  });
}

/** A default in words. Generators of types take a field of a named schema that has a `default` for one that must be sent. */
function describeDefault(schema: Record<string, unknown>): void {
  const { default: value, description, type, properties } = schema;
  if (value === undefined || typeof type !== 'string') return;
  delete schema.default;
  // An object's parts say their own.
  if (properties) return;
  schema.description = [description, `Default: \`${JSON.stringify(value)}\`.`].filter(Boolean).join(' ');
}

/** Tidies a schema that has a name. */
export function tidyNamed(schema: unknown, isAnswer: boolean): void {
  tidy(schema, isAnswer);
  walk(schema, describeDefault);
}
