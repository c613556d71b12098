import { Attempt, type ObserveOptions, type Seen, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { mailTarget } from '../config/mail-security';
import { toTrust } from '../config/tls-trust';
import type { SmtpConfig } from './definition';
import { type SmtpReply, summary } from './reply';
import { SmtpSession } from './session';

/** The maximum size of a whole session: two long lists of extensions. */
const MOST_BYTES = 256 * 1024;
const READY = 220;
const OK = 250;

const offersStartTls = ({ lines }: SmtpReply) => lines.some((line) => /^starttls$/i.test(line.trim()));

/** Upgrades the connection (RFC 3207) and returns the session over TLS. */
async function secured(session: SmtpSession, config: SmtpConfig, attempt: Attempt): Promise<SmtpSession> {
  const answer = await session.ask('STARTTLS');
  if (answer.code !== READY) throw new TargetFailure(`The server rejected STARTTLS: ${summary(answer)}`);
  return new SmtpSession(await session.encrypt('STARTTLS', config.host, toTrust(config)), attempt);
}

async function converse(config: SmtpConfig, attempt: Attempt): Promise<SmtpReply> {
  const { security } = config;
  let session = new SmtpSession(await dial(mailTarget(config), attempt), attempt);
  attempt.budget.answerOf(MOST_BYTES);
  let from = attempt.now();
  let reply = await session.greeting();
  from = attempt.spent('firstByteMs', from);
  if (reply.code !== READY) return reply;
  reply = await session.hello();
  attempt.spent('downloadMs', from);
  if (security === 'starttls' && reply.code === OK) {
    if (!offersStartTls(reply)) throw new TargetFailure('The server does not offer STARTTLS');
    session = await secured(session, config, attempt);
    from = attempt.now();
    // Capabilities announced before TLS must be discarded (RFC 3207 §4.2).
    reply = await session.hello();
    attempt.spent('downloadMs', from);
  }
  // The verdict does not wait for the reply.
  session.send('QUIT');
  return reply;
}

/**
 * Runs an SMTP session (RFC 5321) up to the reply to EHLO, optionally over TLS. `evaluate` compares the code of the reply. All within `timeoutMs`.
 * Rejects only if the signal aborts.
 */
export async function observeSmtp(config: SmtpConfig, options: ObserveOptions): Promise<Observation<SmtpReply>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async (): Promise<Seen<SmtpReply>> => {
    const reply = await converse(config, attempt);
    return { evidence: reply, statusCode: reply.code };
  });
}
