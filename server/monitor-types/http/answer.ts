/** An HTTP response; header names in lower case, repeated ones joined with ", ". */
export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  /** Decoded, at most 1 MiB; `truncated` if there was more. */
  body: Buffer;
  truncated: boolean;
  /** Why the rest of the body could not be decoded; undefined if all of it was. */
  unread?: string;
  redirects: number;
}
