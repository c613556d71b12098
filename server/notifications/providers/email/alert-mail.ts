import { env } from '@/server/platform/env';
import type { Link, MailContent, MailTone } from '@/server/platform/mail/compose';
import type { Message, Tone } from '../../messages/message';
import type { Reader } from '../provider';
import { shorten } from '../shorten';

const SUBJECT = 200;

const tones: Record<Tone, MailTone> = {
  down: 'down',
  degraded: 'warning',
  acknowledged: 'warning',
  up: 'up',
  neutral: 'neutral',
};

function viewLink({ url, payload: { data }, incidentIds }: Message): Link {
  if (incidentIds) return { label: 'View incidents', url };
  if (data.incident) return { label: 'View incident', url };
  if (data.maintenance) return { label: 'View maintenance', url };
  return { label: data.channel ? 'View channel' : 'View channels', url };
}

function linksOf(message: Message): Pick<MailContent, 'button' | 'more'> {
  const view = viewLink(message);
  const { acknowledgeUrl, incidentIds } = message;
  if (acknowledgeUrl === undefined) return { button: view };
  const label = incidentIds ? `Acknowledge all ${incidentIds.length}` : 'Acknowledge';
  return { button: { label, url: acknowledgeUrl }, more: view };
}

/** Returns the lines that say why the reader gets the mail, and how to stop it. */
function footerOf(message: Message, reader: Reader | undefined): (string | Link)[] {
  const confirms =
    message.acknowledgeUrl === undefined ? [] : ['The link acknowledges only after you confirm on the page.'];
  if (!reader) return ['You get this because somebody tested a channel with this address.'];
  const { teamName, channelId, channelName, isPersonal } = reader;
  if (isPersonal) {
    return [
      `You get this because this address is one of your contact methods in ${teamName}.`,
      { label: 'Change how you are notified', url: `${env.appUrl}/settings/contact-methods` },
      ...confirms,
    ];
  }
  return [
    `You get this because the channel “${channelName}” of ${teamName} sends to this address. To stop it, ask ${teamName} to remove the address from the channel.`,
    { label: 'Change this channel', url: `${env.appUrl}/channels/${channelId}` },
    ...confirms,
  ];
}

/**
 * Returns the content of a message's email. Times are in the reader's zone. If a template replaced the texts, there is no report, and the mail shows
 * those texts.
 */
export function alertMail(message: Message, reader?: Reader): MailContent {
  const { headline, details, tone, report } = message;
  const zone = reader?.timeZone ?? 'UTC';
  const common = {
    teamName: reader?.teamName ?? null,
    title: headline,
    ...linksOf(message),
    footer: footerOf(message, reader),
  };
  if (!report) return { ...common, subject: shorten(headline, SUBJECT), paragraphs: details };
  const { state, subject, reason, facts, notes } = report;
  return {
    ...common,
    subject: shorten(`[${state}] ${subject}`, SUBJECT),
    state: { tone: tones[tone], text: state },
    reason,
    facts: facts.map(({ label, value }) => ({ label, value: typeof value === 'string' ? value : value(zone) })),
    notes,
  };
}
