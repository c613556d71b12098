import type { SendMailOptions } from 'nodemailer';
import { db } from '../db';
import { env } from '../env';
import { newId } from '../ids';
import { withoutReordering } from '../plain-text';
import { Connections, type GotSocket } from './connections';
import { toMailError } from './mail-error';

export { MailError } from './mail-error';

export interface Mail {
  /** The same for every attempt, so that a mailbox that receives the message twice can deduplicate it (RFC 5322 §3.6.4). */
  id?: string;
  /** IDs of what the mail is about: mails that share one of them form a thread (RFC 5322 §3.6.4). None needs to be the ID of a mail. */
  threadIds?: string[];
  /** A single address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** A URL that unsubscribes by a POST without confirmation (RFC 8058). */
  unsubscribeUrl?: string;
  /** The team of the mail: stored mail is deleted with its team. Null for mail about an account. */
  teamId: string | null;
}

const SETTINGS = {
  pool: true,
  maxConnections: 2,
  // Retries once on a new connection, because an idle one may have been closed by the server.
  maxRequeues: 1,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  disableFileAccess: true,
  disableUrlAccess: true,
};

/** Longer than any successful send: a server that responds byte by byte would block nodemailer forever. */
const MESSAGE_WITHIN_MS = 30_000;

interface Pool {
  send(mail: SendMailOptions): Promise<unknown>;
  verify(): Promise<unknown>;
  close(): void;
}

/** Creates a pool of connections. The settings are part of the URL, because nodemailer ignores options next to a URL. */
function createPool({ createTransport }: typeof import('nodemailer'), smtpUrl: string): Pool {
  const url = new URL(smtpUrl);
  for (const [name, value] of Object.entries(SETTINGS)) url.searchParams.set(name, String(value));
  const connections = new Connections();
  const transport = Object.assign(createTransport(url.href), {
    getSocket: (options: { host?: string; port?: number }, done: GotSocket) => connections.open(options, done),
  });
  return {
    send: (mail) => transport.sendMail(mail),
    verify: () => transport.verify(),
    close() {
      transport.close();
      connections.close();
    },
  };
}

/**
 * Waits for `work` of a pool. After 30 s, closes the pool, which another one then replaces.
 * @throws ETIMEDOUT, or the error of `work`
 */
async function within(used: Pool, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      if (pool === used) pool = null;
      used.close();
      reject(Object.assign(new Error('stuck'), { code: 'ETIMEDOUT' }));
    }, MESSAGE_WITHIN_MS);
  });
  try {
    await Promise.race([work, stuck]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a Message-ID in the sender's domain. */
function messageIdOf(id: string): string {
  const domain = /@([^\s<>@]+)>?$/.exec(env.mailFrom)?.[1] ?? 'upwatch';
  return `<${id}@${domain}>`;
}

/** The maximum number of thread IDs in the headers. One is enough for a mail to join its thread. */
const MOST_THREADS = 50;

/** Returns the thread headers of a mail. Clients treat the last reference as the parent, so the mail replies to it. */
function threadHeaders(ids: string[]): Pick<SendMailOptions, 'inReplyTo' | 'references'> {
  const references = ids.slice(0, MOST_THREADS).map(messageIdOf);
  const inReplyTo = references.at(-1);
  return inReplyTo === undefined ? {} : { inReplyTo, references };
}

function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** The HTML part of a mail, in base64, because nodemailer takes ten times as long for quoted-printable. */
const htmlPart = (content: string) => ({
  contentType: 'text/html; charset=utf-8',
  content,
  contentTransferEncoding: 'base64' as const,
});

let pool: Pool | null = null;

async function poolOf(smtpUrl: string): Promise<Pool> {
  // Loaded on first use, because an instance without SMTP never needs it.
  const library = await import('nodemailer');
  pool ??= createPool(library, smtpUrl);
  return pool;
}

/**
 * Connects to the SMTP server of SMTP_URL and authenticates.
 * @throws Error if the URL is not set, or the server rejects the connection or the credentials
 */
export async function verifyMail(): Promise<void> {
  if (!env.smtpUrl) throw new Error('SMTP_URL is not set');
  const used = await poolOf(env.smtpUrl);
  await within(used, used.verify());
}

/**
 * Sends one message through the SMTP server of SMTP_URL. Without SMTP_URL, stores the message in the database for administrators, and returns `kept`.
 * @throws MailError if the message was not accepted
 */
export async function sendMail({
  id,
  threadIds = [],
  to,
  subject,
  text,
  html,
  unsubscribeUrl,
  teamId,
}: Mail): Promise<{ kept: boolean }> {
  if (!env.smtpUrl) {
    await db.undeliveredMail.create({ data: { id: newId(), teamId, to, subject, text } });
    return { kept: true };
  }
  const used = await poolOf(env.smtpUrl);
  try {
    const sending = used.send({
      from: env.mailFrom,
      // Passed as an object, so that an address with a comma stays one recipient.
      to: { name: '', address: to },
      subject: withoutReordering(subject),
      text: withoutReordering(text),
      ...(html === undefined ? {} : { alternatives: [htmlPart(withoutReordering(html))] }),
      ...(id === undefined ? {} : { messageId: messageIdOf(id) }),
      ...threadHeaders(threadIds),
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
    });
    await within(used, sending);
  } catch (error) {
    throw toMailError(error);
  }
  return { kept: false };
}

/** Closes the connections to the SMTP server when the process ends. */
export function closeMail(): void {
  pool?.close();
  pool = null;
}
