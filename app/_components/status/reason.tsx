import { TextWithTimes } from '../time/text-with-times';

/** Splits a failure reason into expected and received: "Expected status 200-299" and ", got 503". */
export function splitReason(text: string): [expected: string, received: string] {
  const at = Math.max(text.lastIndexOf(', got '), text.lastIndexOf(', but '));
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** A failure reason on one line. If it is too long, the expected part is truncated and the received part stays. */
export function Reason({ text }: { text: string }) {
  const [expected, received] = splitReason(text);
  return (
    <span title={text} className="flex min-w-0">
      <span className="min-w-0 truncate">
        <TextWithTimes>{expected}</TextWithTimes>
      </span>
      {received ? <span className="max-w-3/4 shrink-0 truncate whitespace-pre">{received}</span> : null}
    </span>
  );
}
