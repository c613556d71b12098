import { z } from 'zod';

type Shape = Record<string, z.ZodType>;

/** An operation's input, split by its place in a REST request. */
export interface SplitInput {
  path: Shape;
  query: Shape;
  /** Null if the operation has no body. */
  body: z.ZodType | null;
}

function shapeOf(schema: z.ZodType): Shape {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** Returns the fields of an object schema, or of all parts of an intersection or union. */
function fieldsOf(schema: z.ZodType): Shape {
  if (schema instanceof z.ZodIntersection) {
    return { ...fieldsOf(schema.def.left as z.ZodType), ...fieldsOf(schema.def.right as z.ZodType) };
  }
  if (schema instanceof z.ZodUnion)
    return Object.assign({}, ...schema.options.map((one) => fieldsOf(one as z.ZodType)));
  return shapeOf(schema);
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

/**
 * Returns an object schema without the fields of its path parameters; null if no field is left. The refinement of a schema that rejects an empty
 * update cannot be reused, so `minProperties` documents it.
 */
function withoutFields(schema: z.ZodObject, names: string[]): z.ZodType | null {
  const shape = Object.fromEntries(Object.entries(shapeOf(schema)).filter(([name]) => !names.includes(name)));
  const fields = Object.values(shape);
  if (fields.length === 0) return null;
  const refined = (schema.def.checks ?? []).length > 0;
  return z.strictObject(shape).meta(refined && fields.every(isOptional) ? { minProperties: 1 } : {});
}

function toBody(schema: z.ZodType, names: string[]): z.ZodType | null {
  if (schema instanceof z.ZodObject) return withoutFields(schema, names);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const options = schema.options.map((one) => (one instanceof z.ZodObject ? withoutFields(one, names) : null));
    const objects = options.filter((one) => one instanceof z.ZodObject);
    const [first, ...rest] = objects;
    if (!first || objects.length < schema.options.length) throw new Error('A union of bodies is made of objects.');
    return z.discriminatedUnion(schema.def.discriminator, [first, ...rest]);
  }
  if (schema instanceof z.ZodIntersection) {
    const [left, right] = [schema.def.left, schema.def.right].map((side) => toBody(side as z.ZodType, names));
    return left && right ? left.and(right) : (left ?? right ?? null);
  }
  throw new Error(`The document does not know bodies of the form ${schema.def.type}.`);
}

/**
 * Splits the input of an operation into path, query and body, for parsing and for the document. Does not modify the schema.
 * @param given the schema of the procedure's input, if it has one
 * @param path with the names of its parameters in braces
 */
export function splitInput(given: z.ZodType | undefined, method: string, path: string): SplitInput {
  const schema = given instanceof z.ZodOptional ? (given.unwrap() as z.ZodType) : given;
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '');
  const fields = schema ? fieldsOf(schema) : {};
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
  const inQuery = method === 'GET';
  return {
    path: pick((name) => names.includes(name)),
    query: inQuery ? pick((name) => !names.includes(name)) : {},
    body: schema && !inQuery ? toBody(schema, names) : null,
  };
}
