import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Env } from '@/server/platform/env';
import { kv } from '@/server/platform/kv';
import { verifyMail } from '@/server/platform/mail';
import { storage } from '@/server/platform/storage';
import { error, type Finding, failureOf, findings, note } from './finding';

const WITHIN_MS = 5_000;
/** The codes of name servers that respond, but not with records. */
const RESPONSES = new Set(['ENODATA', 'ENOTFOUND', 'EREFUSED']);

/** Checks whether the name servers respond at all. */
export async function checkNameServers({ dnsServers }: Env): Promise<Finding[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const servers = resolver.getServers().join(', ');
  const code = await resolver.resolveNs('.').then(
    () => 'ENODATA',
    (reason: NodeJS.ErrnoException) => reason.code ?? reason.message,
  );
  return findings(
    'DNS',
    `${servers} respond`,
    !RESPONSES.has(code) &&
      error(
        `The name servers ${servers} do not respond (${code}).`,
        'Correct /etc/resolv.conf or DNS_SERVERS: until then, checks of names are "unknown".',
      ),
  );
}

async function opens({ host, port }: { host: string; port: number }): Promise<void> {
  const socket = connect({ host, port, timeout: WITHIN_MS });
  socket.on('timeout', () => socket.destroy(new Error('timeout')));
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

/** Checks whether this machine reaches the egress check targets. */
export async function checkEgress({ egressCanaries }: Env): Promise<Finding[]> {
  const failures = await Promise.all(egressCanaries.map((canary) => failureOf(opens(canary))));
  const names = egressCanaries.map(({ host, port }) => `${host}:${port}`);
  const missing = names.filter((_, index) => failures[index] !== null);
  const text = `${missing.join(', ')} cannot be reached.`;
  return findings(
    'Egress',
    `${names.join(', ')} reached`,
    names.length === 0 &&
      note('EGRESS_CANARIES is off.', 'Without it, an outage of your own network looks like one of every target.'),
    missing.length > 0 &&
      missing.length < names.length &&
      note(text, 'One is enough, but see whether a firewall is meant to block the others.'),
    missing.length > 0 &&
      missing.length === names.length &&
      error(
        text,
        'Allow these connections, or set EGRESS_CANARIES to hosts that are always up: until then, failing checks are "unknown".',
      ),
  );
}

export async function checkMail({ smtpUrl }: Env): Promise<Finding[]> {
  const failure = smtpUrl ? await failureOf(verifyMail()) : null;
  const server = smtpUrl ? new URL(smtpUrl).host : '';
  return findings(
    'Mail',
    `${server} accepts the sign-in`,
    !smtpUrl &&
      note('SMTP_URL is not set: mails are stored for administrators, and not sent.', 'Set SMTP_URL and MAIL_FROM.'),
    failure !== null &&
      error(`${server} cannot be used: ${failure}.`, 'Correct SMTP_URL, or see the log of the mail server.'),
  );
}

/** Checks whether the object storage and the key-value store respond, if they are configured. */
export async function checkStores({ s3, upstash }: Env): Promise<Finding[]> {
  const check = async (name: string, store: string, work: Promise<unknown>, variables: string) => {
    const failure = await failureOf(work);
    const problem = failure !== null && error(`${store} cannot be used: ${failure}.`, `Correct ${variables}.`);
    return findings(name, `${store} responds`, problem);
  };
  const s3Variables = 'S3_BUCKET, S3_ENDPOINT and the AWS keys';
  const kvVariables = 'UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN';
  return [
    ...(s3 ? await check('Objects', `The bucket ${s3.bucket}`, storage.get('doctor/probe'), s3Variables) : []),
    ...(upstash ? await check('Key-value store', new URL(upstash.url).host, kv.get('doctor'), kvVariables) : []),
  ];
}

/** Checks whether the web process is ready or, if none runs, whether it could listen. */
export async function checkPort(
  { host, port }: Env,
  running: { url?: string } | null,
  whyNot: string | null,
): Promise<Finding[]> {
  if (!running?.url) {
    const problem =
      whyNot !== null &&
      error(
        `Upwatch cannot listen on port ${port} of ${host} (${whyNot}).`,
        'Stop the other program, or set PORT and HOST.',
      );
    return findings('Web', `port ${port} of ${host} is free`, problem);
  }
  const url = `${running.url}/api/ready`;
  const failure = await failureOf(
    fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) }).then(({ ok, status }) => {
      if (!ok) throw new Error(`status ${status}`);
    }),
  );
  const problem =
    failure !== null &&
    error(`${url} does not say "ready": ${failure}.`, 'See the errors above, and the log of the web process.');
  return findings('Web', `${running.url} is ready`, problem);
}
