import { TextWithTimes } from '../time/text-with-times';
import { splitReason } from './reason-words';

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
