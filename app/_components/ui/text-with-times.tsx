import { Timestamp } from '@/app/_components/ui/time';
import { splitTimes } from './split-times';

/** What Upwatch wrote of a check, with its times on the same clock as all others of the page. */
export function TextWithTimes({ children }: { children: string }) {
  return splitTimes(children).map((part) => ('at' in part ? <Timestamp key={part.key} at={part.at} /> : part.text));
}
