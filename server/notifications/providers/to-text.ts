import type { Message } from '../message';
import { fitText, type Limit } from './shorten';

export interface TextForm extends Limit {
  /** The most that the provider accepts, by `size`. */
  max: number;
  /** Renders a link; the default writes its label and address. */
  link?: (label: string, url: string) => string;
  /** Renders the headline, which is escaped; the default keeps it. */
  title?: (headline: string) => string;
  /** The provider shows the headline elsewhere. */
  withoutHeadline?: true;
}

const plainLink = (label: string, url: string) => `${label}: ${url}`;

/** A message as one text: headline, details and links. Too long ones lose details first, never a link. */
export function toText({ headline, details, url, acknowledgeUrl }: Message, form: TextForm): string {
  const { max, link = plainLink, title = (it) => it, withoutHeadline, size = (it) => it.length, ...rest } = form;
  const limit = { size, ...rest };
  const links = [
    ...(acknowledgeUrl === undefined ? [] : [link('Acknowledge', acknowledgeUrl)]),
    link('Open in Upwatch', url),
  ].join('\n');
  const room = Math.max(max - size(links) - 2, 1);
  const head = withoutHeadline ? '' : title(fitText(headline, Math.min(Math.floor(room / 2), 500), limit));
  const left = room - size(head) - 1;
  const body = left > 20 ? fitText(details.join('\n'), left, limit) : '';
  return [head, body, links].filter((part) => part !== '').join('\n');
}
