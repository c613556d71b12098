/** What the document says of an operation beside what its procedure declares. */
export interface OperationDoc {
  /** Unique; what a generated client calls the operation. */
  id: string;
  /** The same at the procedure's second address. */
  alsoId?: string;
  /** What it does beyond its summary. */
  description: string;
  /** A body that works. */
  body?: Record<string, unknown>;
  /** Path parameters of the example; `id` is a ULID where it is left out. */
  params?: Record<string, string>;
  /** What it answers to that. */
  answer: Record<string, unknown>;
}
