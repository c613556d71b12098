/** An HTTP response; header names in lower case, repeated ones joined with ", ". */
export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  /** Without its content encoding, at most 1 MiB; `truncated` is whether there was more. */
  body: Buffer;
  truncated: boolean;
  /** Why the body could not be decoded to its end, if so. */
  unread?: string;
  redirects: number;
}
