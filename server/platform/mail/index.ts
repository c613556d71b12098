import type { SendMailOptions } from 'nodemailer';
import { db } from '../db';
import { env } from '../env';
import { newId } from '../ids';
import { Connections, type GotSocket } from './connections';
import { toMailError } from './mail-error';

export { MailError } from './mail-error';

export interface Mail {
  /** The same for every try: a mailbox that a lost answer brings the message to twice recognises it (RFC 5322 §3.6.4). */
  id?: string;
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** The team it is sent for: what is kept goes with its team. Null for mail about an account. */
  teamId: string | null;
}

const SETTINGS = {
  pool: true,
  maxConnections: 2,
  // A connection that was idle may be gone; one that breaks again will break for ever.
  maxRequeues: 1,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  disableFileAccess: true,
  disableUrlAccess: true,
};

/** By then a message was taken, or its connection is stuck: a server that answers byte by byte keeps nodemailer waiting for ever. */
const MESSAGE_WITHIN_MS = 30_000;

interface Pool {
  send(mail: SendMailOptions): Promise<unknown>;
  close(): void;
}

/** A pool of connections. The settings travel in the address, because beside an address nodemailer drops them. */
function createPool({ createTransport }: typeof import('nodemailer'), smtpUrl: string): Pool {
  const url = new URL(smtpUrl);
  for (const [name, value] of Object.entries(SETTINGS)) url.searchParams.set(name, String(value));
  const connections = new Connections();
  const transport = Object.assign(createTransport(url.href), {
    getSocket: (options: { host?: string; port?: number }, done: GotSocket) => connections.open(options, done),
  });
  return {
    send: (mail) => transport.sendMail(mail),
    close() {
      transport.close();
      connections.close();
    },
  };
}

async function sendThrough(used: Pool, mail: SendMailOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      if (pool === used) pool = null;
      used.close();
      reject(Object.assign(new Error('stuck'), { code: 'ETIMEDOUT' }));
    }, MESSAGE_WITHIN_MS);
  });
  try {
    await Promise.race([used.send(mail), stuck]);
  } finally {
    clearTimeout(timer);
  }
}

/** A Message-ID of the sender's domain. */
function messageIdOf(id: string): string {
  const domain = /@([^\s<>@]+)>?$/.exec(env.mailFrom)?.[1] ?? 'upwatch';
  return `<${id}@${domain}>`;
}

let pool: Pool | null = null;

/**
 * Sends one message through the SMTP server of SMTP_URL, and throws `MailError` where it was not taken. Without SMTP_URL the
 * message is kept in the database, where administrators read it; `kept` tells.
 */
export async function sendMail({ id, to, subject, text, html, teamId }: Mail): Promise<{ kept: boolean }> {
  if (!env.smtpUrl) {
    await db.keptMail.create({ data: { id: newId(), teamId, to, subject, text } });
    return { kept: true };
  }
  // Loaded at first use: an instance without SMTP never needs it.
  const library = await import('nodemailer');
  pool ??= createPool(library, env.smtpUrl);
  try {
    await sendThrough(pool, {
      from: env.mailFrom,
      // As an object, an address with a comma in it stays one recipient.
      to: { name: '', address: to },
      subject,
      text,
      ...(html === undefined ? {} : { html }),
      ...(id === undefined ? {} : { messageId: messageIdOf(id) }),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    throw toMailError(error);
  }
  return { kept: false };
}

/** Closes the connections to the SMTP server; for the end of a process. */
export function closeMail(): void {
  pool?.close();
  pool = null;
}
