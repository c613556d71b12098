import { Timestamp } from '@/app/_components/time/time';
import { splitTimes } from './split-times';

/** A generated text whose times are shown in the time zone of the page. */
export function TextWithTimes({ children }: { children: string }) {
  return splitTimes(children).map((part) => ('at' in part ? <Timestamp key={part.key} at={part.at} /> : part.text));
}
