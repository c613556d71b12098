import { z } from 'zod';
import type { Message, Tone } from '../../messages/message';
import { failureForm, REJECTED } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { fitText, inJsonBytes } from '../shorten';
import type { MicrosoftTeamsConfig } from './definition';

/** Colors of adaptive cards. */
const colors: Record<Tone, string> = {
  down: 'attention',
  degraded: 'warning',
  acknowledged: 'accent',
  up: 'good',
  neutral: 'default',
};

/** The whole message is limited to 28 KB; the links and the frame of the card need less than 6 KB. */
const MOST_DETAILS = 20_000;
const MOST_HEADLINE = 1_000;

/** Returns a text run of a RichTextBlock, which shows texts literally, whereas a TextBlock interprets Markdown. `max` includes JSON escapes. */
function run(text: string, max: number, style: object = {}): object {
  return { type: 'TextRun', text: fitText(text, max, { size: inJsonBytes }), ...style };
}

function toCard({ headline, details, url, acknowledgeUrl, tone }: Message): object {
  const heading = run(headline, MOST_HEADLINE, { weight: 'bolder', size: 'large', color: colors[tone] });
  const acknowledge = { type: 'Action.OpenUrl', title: 'Acknowledge', url: acknowledgeUrl };
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      { type: 'RichTextBlock', inlines: [heading] },
      ...(details.length > 0 ? [{ type: 'RichTextBlock', inlines: [run(details.join('\n'), MOST_DETAILS)] }] : []),
    ],
    actions: [
      ...(acknowledgeUrl === undefined ? [] : [acknowledge]),
      { type: 'Action.OpenUrl', title: 'Open in Upwatch', url },
    ],
  };
}

/** An error of a workflow: it does not exist, is turned off, is not open to anyone, or the signature in its URL is wrong. */
const Failure = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

const failure = failureForm({ schema: Failure, text: ({ error }) => error.message, permanent: REJECTED });

/** Sends one adaptive card to a workflow of Teams, "When a Teams webhook request is received", which accepts it with 202. */
export const microsoftTeams: Provider<MicrosoftTeamsConfig> = {
  send(message, { webhookUrl }, options) {
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null };
    const body = { type: 'message', attachments: [{ ...attachment, content: toCard(message) }] };
    return post({ url: webhookUrl, body: JSON.stringify(body), receiver: 'Microsoft Teams', ...failure }, options);
  },
};
