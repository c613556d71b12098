/** A request as it would be sent. */
export interface PreparedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Null for none, and where it is sent encrypted. */
  body: string | null;
}
