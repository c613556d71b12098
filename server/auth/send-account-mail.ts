import { z } from 'zod';
import { unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { type Mail, MailError, sendMail } from '@/server/platform/mail';
import { accountLinkUrl } from './account-links';

/** The database stores only the hash of the token, so the job carries it encrypted. */
const Payload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('password_reset'), id: z.string(), userId: z.string(), sealedToken: z.string() }),
  z.object({ kind: z.literal('email_change'), id: z.string(), to: z.string(), sealedToken: z.string() }),
  z.object({ kind: z.literal('email_changed'), id: z.string(), to: z.string(), email: z.string() }),
  z.object({ kind: z.literal('password_changed'), id: z.string(), userId: z.string() }),
]);
type Payload = z.infer<typeof Payload>;

type Text = Pick<Mail, 'subject' | 'text'>;
const lines = (...text: string[]) => `${text.join('\n')}\n`;

function textOf(payload: Payload): Text {
  switch (payload.kind) {
    case 'password_reset':
      return {
        subject: 'Reset your Upwatch password',
        text: lines(
          'We received a request to reset the password of your Upwatch account. Open this link to set a new password:',
          accountLinkUrl(payload.kind, unseal(payload.sealedToken)),
          '',
          'The link can be used once and expires in one hour. If you did not request it, you can ignore this email.',
        ),
      };
    case 'email_change':
      return {
        subject: 'Confirm your new email address for Upwatch',
        text: lines(
          'Open this link to confirm this email address for your Upwatch account:',
          accountLinkUrl(payload.kind, unseal(payload.sealedToken)),
          '',
          'The link can be used once and expires in one hour. If you did not request it, you can ignore this email.',
        ),
      };
    case 'email_changed':
      return {
        subject: 'The email address of your Upwatch account was changed',
        text: lines(
          `The email address of your Upwatch account is now ${payload.email}.`,
          'If you did not change it, contact the administrator of your Upwatch instance.',
        ),
      };
    case 'password_changed':
      return {
        subject: 'Your Upwatch password was reset',
        text: lines(
          'The password of your Upwatch account was reset, and all sessions were signed out.',
          'If you did not do this, contact the administrator of your Upwatch instance.',
        ),
      };
    default:
      return payload satisfies never;
  }
}

async function recipientOf(payload: Payload): Promise<string | null> {
  if ('to' in payload) return payload.to;
  const user = await db.user.findUnique({ where: { id: payload.userId }, select: { email: true } });
  return user?.email ?? null;
}

/** Emails a user about their account: a requested link, or a change that they may not have made. */
export const sendAccountMail = defineJob({
  name: 'send-account-mail',
  schema: Payload,
  async run(payload) {
    const to = await recipientOf(payload);
    if (!to) return;
    try {
      await sendMail({ id: payload.id, to, teamId: null, ...textOf(payload) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, kind: payload.kind }, 'The mail server rejected an account email');
    }
  },
});
