/** An HTTP answer; header names in lower case, repeated ones joined with ", ". */
export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  /** At most 1 MiB; `truncated` tells whether there was more. */
  body: Buffer;
  truncated: boolean;
  redirects: number;
}
