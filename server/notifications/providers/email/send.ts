import { MailError, sendMail } from '@/server/platform/mail';
import { describeNetworkError } from '@/server/platform/net';
import { mailPage } from '../../messages/mail-page';
import type { Message } from '../../messages/message';
import { escapeHtml } from '../escape';
import type { Provider, SendResult } from '../provider';
import { shorten } from '../shorten';
import type { EmailConfig } from './definition';

function toHtml({ headline, details, url, acknowledgeUrl }: Message): string {
  const paragraphs = details.map((detail) => `<p style="margin:0 0 8px">${escapeHtml(detail)}</p>`).join('');
  const link = (to: string, label: string) => `<a href="${escapeHtml(to)}">${label}</a>`;
  const links = [
    ...(acknowledgeUrl === undefined ? [] : [link(acknowledgeUrl, 'Acknowledge')]),
    link(url, 'Open in Upwatch'),
  ];
  return mailPage(headline, `${paragraphs}\n<p style="margin:16px 0 0">${links.join(' &nbsp; ')}</p>`);
}

function toResult(error: unknown): SendResult {
  const isMail = error instanceof MailError;
  const text = isMail ? error.message : describeNetworkError(error);
  return { ok: false, permanent: isMail && error.permanent, statusCode: null, error: text };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** One message to one address. Fails without a mail server, because only administrators can read stored mail. */
export const email: Provider<EmailConfig> = {
  async send(message, { to }, { signal, teamId, prepared }) {
    const { id, headline, details, url, acknowledgeUrl, payload } = message;
    const incidentId = payload.data.incident?.id;
    const acknowledge = acknowledgeUrl === undefined ? [] : [`Acknowledge: ${acknowledgeUrl}`];
    const text = [headline, '', ...details, '', ...acknowledge, url, ''].join('\n');
    const incidents = message.incidentIds ?? (incidentId === undefined ? [] : [incidentId]);
    const threadIds = incidents.map((each) => `incident-${each}`);
    const mail = { id, threadIds, to, teamId, subject: shorten(headline, 200), text, html: toHtml(message) };
    if (prepared) {
      prepared({ method: 'SMTP', url: `mailto:${to}`, headers: { subject: mail.subject }, body: text });
      return { ok: true, statusCode: null };
    }
    try {
      const { kept } = await Promise.race([sendMail(mail), aborted(signal)]);
      if (!kept) return { ok: true, statusCode: null };
      const error = 'No mail server is configured (SMTP_URL). Administrators find the message under Undelivered mail';
      return { ok: false, permanent: true, statusCode: null, error };
    } catch (error) {
      return toResult(error);
    }
  },
};
