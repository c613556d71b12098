import { Attempt, type ObserveOptions } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import { LineSession } from '@/server/monitor-types/probing/line-session';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { mailTarget } from '../config/mail-security';
import { toTrust } from '../config/tls-trust';
import { type MailboxConfig, mailboxAddress } from './definition';
import { ImapSession, Pop3Session } from './session';

/** The maximum size of a whole session. */
const MOST_BYTES = 64 * 1024;

const SESSIONS = { imap: ImapSession, pop3: Pop3Session };

/**
 * Waits for the greeting, starts TLS after it if the config says so, and logs in if there is a password. All within `timeoutMs`. Rejects only if the
 * signal aborts.
 */
export async function observeMailbox(config: MailboxConfig, options: ObserveOptions): Promise<Observation<never>> {
  const { protocol, host, security, username, password } = config;
  const Session = SESSIONS[protocol];
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => {
    const target = mailTarget({ ...config, ...mailboxAddress(config) });
    let lines = new LineSession(await dial(target, attempt), attempt);
    attempt.budget.answerOf(MOST_BYTES);
    let from = attempt.now();
    let session = new Session(lines);
    await session.greet();
    from = attempt.spent('firstByteMs', from);
    if (security === 'starttls') {
      await session.ask(session.startTls);
      attempt.spent('downloadMs', from);
      lines = new LineSession(await lines.encrypt(session.startTls, host, toTrust(config)), attempt);
      session = new Session(lines);
      from = attempt.now();
    }
    if (username !== undefined && password !== undefined) {
      await session.logIn(username, password);
      attempt.spent('downloadMs', from);
    }
    session.end();
    return {};
  });
}
