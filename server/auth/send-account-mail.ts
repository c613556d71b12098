import { z } from 'zod';
import { unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { MailError, sendMail } from '@/server/platform/mail';
import { composeMail, type MailContent } from '@/server/platform/mail/compose';
import { accountLinkUrl } from './account-links';

/** The database stores only the hash of the token, so the job carries it encrypted. */
const Payload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('password_reset'), id: z.string(), userId: z.string(), sealedToken: z.string() }),
  z.object({ kind: z.literal('email_change'), id: z.string(), to: z.string(), sealedToken: z.string() }),
  z.object({ kind: z.literal('email_changed'), id: z.string(), to: z.string(), email: z.string() }),
  z.object({ kind: z.literal('password_changed'), id: z.string(), userId: z.string() }),
]);
export type AccountMail = z.infer<typeof Payload>;

const EXPIRES =
  'The link can be used once and expires in one hour. If you did not request it, you can ignore this email.';
const CONTACT = 'If you did not do this, contact the administrator of your Upwatch instance.';
const security = ['You get this because it concerns the security of your Upwatch account.'];

/**
 * Returns the content of the mail.
 * @param token decrypts the token of a link
 */
export function accountMail(payload: AccountMail, token: (sealed: string) => string = unseal): MailContent {
  const { kind } = payload;
  switch (kind) {
    case 'password_reset':
      return {
        subject: 'Reset your Upwatch password',
        teamName: null,
        title: 'Reset your password',
        paragraphs: ['We received a request to reset the password of your Upwatch account. Choose a new one:'],
        button: { label: 'Reset password', url: accountLinkUrl(kind, token(payload.sealedToken)) },
        footer: [EXPIRES],
      };
    case 'email_change':
      return {
        subject: 'Confirm your new email address for Upwatch',
        teamName: null,
        title: 'Confirm your email address',
        paragraphs: [`Confirm that ${payload.to} is the email address of your Upwatch account:`],
        button: { label: 'Confirm address', url: accountLinkUrl(kind, token(payload.sealedToken)) },
        footer: [EXPIRES],
      };
    case 'email_changed':
      return {
        subject: 'The email address of your Upwatch account was changed',
        teamName: null,
        title: 'Your email address was changed',
        paragraphs: [`The email address of your Upwatch account is now ${payload.email}.`, CONTACT],
        footer: security,
      };
    case 'password_changed':
      return {
        subject: 'Your Upwatch password was reset',
        teamName: null,
        title: 'Your password was reset',
        paragraphs: ['The password of your Upwatch account was reset, and all sessions were signed out.', CONTACT],
        button: { label: 'Sign in', url: `${env.appUrl}/login` },
        footer: security,
      };
    default:
      return payload satisfies never;
  }
}

async function recipientOf(payload: AccountMail): Promise<string | null> {
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
      await sendMail({ id: payload.id, to, teamId: null, ...composeMail(accountMail(payload)) });
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error;
      log.warn({ err: error, kind: payload.kind }, 'The mail server rejected an account email');
    }
  },
});
