/** An HTTP response; header names in lower case, repeated ones joined with ", ". */
export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  /** At most 1 MiB; `truncated` is whether there was more. */
  body: Buffer;
  truncated: boolean;
  redirects: number;
}
