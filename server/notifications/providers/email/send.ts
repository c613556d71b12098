import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail, composeText } from '@/server/platform/mail/compose';
import { describeNetworkError } from '@/server/platform/net';
import type { Provider, SendResult } from '../provider';
import { alertMail } from './alert-mail';
import type { EmailConfig } from './definition';

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

/** Sends one message to one address. Fails without a mail server, because only administrators can read stored mail. */
export const email: Provider<EmailConfig> = {
  async send(message, { to }, { signal, teamId, prepared, reader }) {
    const content = alertMail(message, reader);
    if (prepared) {
      const { subject, text } = composeText(content);
      prepared({ method: 'SMTP', url: `mailto:${to}`, headers: { subject }, body: text });
      return { ok: true, statusCode: null };
    }
    const incidentId = message.payload.data.incident?.id;
    const incidents = message.incidentIds ?? (incidentId === undefined ? [] : [incidentId]);
    const threadIds = incidents.map((each) => `incident-${each}`);
    const mail = { id: message.id, threadIds, to, teamId, ...composeMail(content) };
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
