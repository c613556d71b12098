import type { Message } from '../message';
import type { ChannelTemplate } from '../schema';
import { escapes, render } from './template';
import { valuesOf } from './values';

/**
 * The message with the texts of its event's template, if there is one. They are plain, and the provider escapes and shortens them as its own; a text
 * that comes out empty is not used.
 */
export function applyTemplate(message: Message, templates: readonly ChannelTemplate[]): Message {
  const template = templates.find(({ event }) => event === message.payload.type);
  if (!template) return message;
  const values = valuesOf(message);
  const textOf = (text: string | null) => (text === null ? '' : render(text, values, escapes.text).trim());
  const headline = textOf(template.subject).replace(/\s+/g, ' ');
  const body = textOf(template.body);
  return {
    ...message,
    ...(headline !== '' && { headline }),
    ...(body !== '' && { details: body.split(/\r?\n/) }),
  };
}
