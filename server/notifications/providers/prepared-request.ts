/** A request as it would be sent. */
export interface PreparedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Null for no body, or if it is sent encrypted. */
  body: string | null;
}
