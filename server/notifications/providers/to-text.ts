import type { Message } from '../messages/message';
import { fitText, type Limit } from './shorten';

export interface TextForm extends Limit {
  /** The maximum size, measured by `size`. */
  max: number;
  /** Renders a link; the default writes its label and URL. */
  link?: (label: string, url: string) => string;
  /** Renders the escaped headline; the default keeps it. */
  title?: (headline: string) => string;
  /** Set if the provider shows the headline elsewhere. */
  withoutHeadline?: true;
}

const plainLink = (label: string, url: string) => `${label}: ${url}`;

/** Renders a message as one text: headline, details and links. If it is too long, details are dropped first; links are never shortened. */
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
