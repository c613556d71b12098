/** The documentation of an operation, in addition to the declarations of its procedure. */
export interface OperationDoc {
  /** Unique; the method name in generated clients. */
  id: string;
  /** The ID of the same operation at the procedure's second path (`alsoAt`). */
  alsoId?: string;
  /** Details beyond its summary. */
  description: string;
  /** A valid body. */
  body?: Record<string, unknown>;
  /** Path parameters of the example; `id` defaults to a ULID. */
  params?: Record<string, string>;
  /** The response to that body. */
  answer: Record<string, unknown>;
}
