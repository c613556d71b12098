import { Stamp } from '@/app/_components/ui/since';
import { splitTold } from './told-words';

/** What Upwatch wrote of a check, with its times on the same clock as all others of the page. */
export function Told({ children }: { children: string }) {
  return splitTold(children).map((part) => ('at' in part ? <Stamp key={part.key} at={part.at} /> : part.text));
}
