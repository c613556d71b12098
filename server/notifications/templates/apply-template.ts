import type { Message } from '../messages/message';
import { shownLink } from '../providers/shown';
import type { ChannelTemplate } from '../schema';
import type { Placeholder } from './placeholders';
import { render, type Target, TooLongError, targets } from './template';
import { valuesOf } from './values';

/** Returns the rendered template; empty if there is none, or the result is too long for any message. */
function textOf(template: string | null, values: Record<Placeholder, string>, target: Target): string {
  if (template === null) return '';
  try {
    return render(template, values, target).trim();
  } catch (error) {
    if (error instanceof TooLongError) return '';
    throw error;
  }
}

function textsOf(message: Message, { subject, body }: ChannelTemplate): Partial<Pick<Message, 'headline' | 'details'>> {
  const values = valuesOf(message);
  const headline = textOf(subject, values, targets.subject).replace(/\s+/g, ' ');
  const text = textOf(body, values, targets.message);
  return { ...(headline !== '' && { headline }), ...(text !== '' && { details: text.split(/\r?\n/) }) };
}

/**
 * Replaces the headline and details of a message with those of its event's template, if there is one. The texts are plain: the provider escapes and
 * shortens them like its own. A template that renders to an empty text keeps the original one.
 */
export function applyTemplate(message: Message, templates: readonly ChannelTemplate[]): Message {
  const template = templates.find(({ event }) => event === message.payload.type);
  if (!template) return message;
  const { report: _report, ...original } = message;
  const { headline, details, acknowledgeUrl } = original;
  const texts = textsOf(message, template);
  if (Object.keys(texts).length === 0) return message;
  const written = { ...original, ...texts };
  if (acknowledgeUrl === undefined) return written;
  const shown = textsOf({ ...message, acknowledgeUrl: shownLink(acknowledgeUrl) }, template);
  return { ...written, shown: { headline, details, ...shown } };
}
