import { env } from '@/server/platform/env';
import { invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { newAcknowledgeToken } from '../acknowledgments/acknowledge-link';
import { EventPayload } from '../messages/event';
import type { Message } from '../messages/message';
import { toMessage } from '../messages/to-message';
import { send } from '../providers';
import type { ChannelType } from '../providers/definitions';
import type { PreparedRequest } from '../providers/prepared-request';
import { shownConfig, toShownRequest } from '../providers/shown';
import { readDraft } from '../read-draft';
import { type ChannelConfig, MessagePreview, type PreviewMessageInput } from '../schema';
import { applyTemplate } from './apply-template';
import { exampleEvent } from './example-event';

/** Characters that mark both ends of the headline and the end of the details. If one of them is missing from the request, that end was cut off. */
const MARKS = { start: '\ue000', end: '\ue001', details: '\ue002' };

interface Draft {
  type: ChannelType;
  config: ChannelConfig;
}

/** Returns the latest event of the type in the team, or an example if there is none or it cannot be read. */
async function readEvent({ db, team }: TeamContext, event: PreviewMessageInput['event']) {
  const row = await db.delivery.findFirst({
    where: { teamId: team.id, event },
    orderBy: { id: 'desc' },
    select: { payload: true },
  });
  const payload = EventPayload.safeParse(row?.payload).data;
  return payload ? { payload, isExample: false } : { payload: exampleEvent(event), isExample: true };
}

/**
 * Returns the request that the provider would send, without sending it; null for a kind whose messages are encrypted.
 * @throws AppError VALIDATION_ERROR if the message cannot be built
 */
async function requestOf(draft: Draft, message: Message, teamId: string): Promise<PreparedRequest | null> {
  let request: PreparedRequest | null = null;
  const prepared = (sent: PreparedRequest) => {
    request = sent;
  };
  const options = { teamId, signal: AbortSignal.timeout(1_000), prepared };
  const result = await send(draft.type, message, draft.config, options);
  if (!result.ok) throw invalidField('config', `${result.error}.`);
  return request;
}

/** Joins all texts of a request, as they are and form-decoded. */
const textOf = ({ url, headers, body }: PreparedRequest) => {
  const raw = `${url}\n${Object.values(headers).join('\n')}\n${body}`;
  return `${raw}\n${decodeForm(raw)}`;
};

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

const marked = (text: string, mark: string) => text.replace(/.$/su, mark);
const countOf = (text: string, mark: string) => text.split(mark).length - 1;

/** Whether the provider's limits cut the headline or the details. */
async function isShortened(draft: Draft, message: Message, teamId: string): Promise<boolean> {
  const [headline, ...details] = [message.headline, ...message.details];
  const last = details.pop();
  const probe = {
    ...message,
    headline: marked((headline ?? '').replace(/^./su, MARKS.start), MARKS.end),
    details: last === undefined ? [] : [...details, marked(last, MARKS.details)],
  };
  const request = await requestOf(draft, probe, teamId);
  if (!request) return false;
  const text = textOf(request);
  // The details may also appear in a shorter copy, for example for the lock screen of a phone.
  const isMissing = last !== undefined && last !== '' && !text.includes(MARKS.details);
  // Some kinds, such as a custom request, show no details at all.
  const short = isMissing ? await requestOf(draft, { ...message, details: [MARKS.details] }, teamId) : null;
  const isCut = short !== null && textOf(short).includes(MARKS.details);
  return isCut || countOf(text, MARKS.start) > countOf(text, MARKS.end);
}

/**
 * Returns the message and the request that a channel would send for the latest event of a type, with a template or a config that may not be saved
 * yet. Sends nothing and shows no secret; the acknowledge link does not work.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR
 */
export async function previewMessage({ ctx, input }: Call<PreviewMessageInput>): Promise<MessagePreview> {
  const { event, subject, body } = input;
  const { type, config } = await readDraft(ctx, input);
  // Members who can edit the channel see its URL.
  const draft = { type, config: shownConfig(type, config, ['credential']) };
  const { payload, isExample } = await readEvent(ctx, event);
  const plain = toMessage(newId(), payload, { id: '', type: draft.type });
  const dead = newAcknowledgeToken({ target: { incidentId: newId(), opening: 0 }, channelId: newId() });
  const message = applyTemplate(
    { ...plain, ...(plain.acknowledgeUrl !== undefined && { acknowledgeUrl: `${env.appUrl}/acknowledge/${dead}` }) },
    [{ event, subject, body }],
  );
  const real = await requestOf({ type, config }, message, ctx.team.id);
  const shown = await requestOf(draft, message, ctx.team.id);
  const request = real && shown && toShownRequest(real, shown);
  return MessagePreview.parse({
    incidentId: isExample ? null : (payload.data.incident?.id ?? null),
    headline: message.headline,
    details: message.details,
    isShortened: await isShortened(draft, message, ctx.team.id),
    request: request && {
      ...request,
      headers: Object.entries(request.headers).map(([name, value]) => ({ name, value })),
      body: request.body ?? '',
    },
  });
}
