import { z } from 'zod';

type Optional<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodOptional<Shape[Name]> };

/** Returns the schema with unknown fields rejected. Accepts any list, because lists are ignored, and errors for 4,000 elements would take 150 ms. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return z.strictObject(strictShape(schema.shape));
  if (schema instanceof z.ZodArray) return z.array(z.unknown());
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap() as z.ZodType).nullable();
  return schema;
}

const strictShape = (shape: z.ZodRawShape): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, strict(field as z.ZodType)]));

/** Returns the read-only fields of a response as optional, strict inputs, because scripts may send a response back. */
export function readOnly<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>): Optional<Shape> {
  const optional = Object.entries(strictShape(shape)).map(([name, field]) => [name, field.optional()]);
  return Object.fromEntries(optional) as Optional<Shape>;
}
