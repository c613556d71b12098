/** Splits a reason into the expected and the received part: "Expected status 200-299" and ", got 503". */
export function splitReason(text: string): [expected: string, received: string] {
  const at = Math.max(text.lastIndexOf(', got '), text.lastIndexOf(', but '));
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}
