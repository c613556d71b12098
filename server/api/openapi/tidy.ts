/** Calls `change` with an object and every object in it. */
function walk(value: unknown, change: (object: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  change(value as Record<string, unknown>);
  for (const inner of Object.values(value)) walk(inner, change);
}

/** Removes constraints that only validators need, such as the pattern of a time or the bounds of every integer. */
export function tidy(value: unknown, isAnswer: boolean): void {
  walk(value, (schema) => {
    if (schema.format === 'date-time') delete schema.pattern;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    // Responses may gain fields, and clients must tolerate them.
    if (isAnswer && schema.additionalProperties === false) delete schema.additionalProperties;
  });
}

/** Moves a default to the description, because client generators require fields with a `default` in a named schema. */
function describeDefault(schema: Record<string, unknown>): void {
  const { default: value, description, type, properties } = schema;
  if (value === undefined || typeof type !== 'string') return;
  delete schema.default;
  // The properties of an object have their own defaults.
  if (properties) return;
  schema.description = [description, `Default: \`${JSON.stringify(value)}\`.`].filter(Boolean).join(' ');
}

/** Cleans up a named schema. */
export function tidyNamed(schema: unknown, isAnswer: boolean): void {
  tidy(schema, isAnswer);
  walk(schema, describeDefault);
}
