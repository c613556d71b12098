import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/server/platform/db';

let stop: (() => Promise<void>) | null = null;
afterEach(async () => {
  await stop?.();
  stop = null;
});

/** The mail module of a process whose SMTP_URL is `smtpUrl`. */
async function mailWith(smtpUrl: string) {
  vi.stubEnv('SMTP_URL', smtpUrl);
  vi.stubEnv('MAIL_FROM', 'Upwatch <alerts@upwatch.example>');
  vi.resetModules();
  return import('@/server/platform/mail');
}

interface Received {
  from: string | undefined;
  to: string[];
  source: string;
}

async function smtp(options: SMTPServerOptions = {}, credentials = '') {
  const received: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : undefined,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString('utf8'),
        });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const mail = await mailWith(`smtp://${credentials}127.0.0.1:${port}`);
  stop = async () => {
    mail.closeMail();
    const closed = once(server.server, 'close');
    server.close();
    await closed;
  };
  return { mail, received, connections: () => connections };
}

const message = { to: 'ada@northwind.example', subject: 'Checkout is down', text: 'Since 03:07:12 UTC.', teamId: 't1' };
const replyWith = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

describe('mail with an SMTP server', () => {
  it('sends the message as text and HTML', async () => {
    const { mail, received } = await smtp();
    expect(await mail.sendMail({ ...message, html: '<p>Since <b>03:07:12</b> UTC.</p>' })).toEqual({ kept: false });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ from: 'alerts@upwatch.example', to: ['ada@northwind.example'] });
    expect(received[0]?.source).toMatch(/^From: Upwatch <alerts@upwatch\.example>\r$/m);
    expect(received[0]?.source).toMatch(/^Subject: Checkout is down\r$/m);
    expect(received[0]?.source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(received[0]?.source).toContain('Since 03:07:12 UTC.');
    const [, html = ''] = (received[0]?.source ?? '').split(/^Content-Type: text\/html.*\r\n(?:.+\r\n)*\r\n/m);
    expect(Buffer.from(html, 'base64').toString()).toContain('<b>03:07:12</b>');
    expect(await db.undeliveredMail.count()).toBe(0);
  });

  it('reuses one connection for successive messages', async () => {
    const { mail, received, connections } = await smtp();
    for (let n = 0; n < 3; n++) await mail.sendMail(message);
    expect(received).toHaveLength(3);
    expect(connections()).toBe(1);
  });

  it('keeps a line break in the subject from adding a header', async () => {
    const { mail, received } = await smtp();
    await mail.sendMail({ ...message, subject: 'Down\r\nBcc: eve@evil.example' });
    expect(received[0]?.to).toEqual(['ada@northwind.example']);
    expect(received[0]?.source).not.toMatch(/^Bcc:/m);
  });

  it('never sends to two recipients for one address', async () => {
    const { mail, received } = await smtp();
    await mail.sendMail({ ...message, to: 'ada@northwind.example, eve@evil.example' }).catch(() => undefined);
    expect(received.flatMap(({ to }) => to)).not.toContain('eve@evil.example');
  });

  it.each([
    ['the recipient with 550', 550, true],
    ['the recipient with 451', 451, false],
  ])('reports a rejection of %s', async (_what, code, permanent) => {
    const { mail } = await smtp({
      onRcptTo: (_address, _session, callback) => callback(replyWith(code, 'No such mailbox')),
    });
    const error = await mail.sendMail(message).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(mail.MailError);
    expect(error).toMatchObject({ permanent, message: expect.stringContaining('No such mailbox') });
  });

  it('reports a rejection of the content with 554', async () => {
    const { mail } = await smtp({
      onData(stream, _session, callback) {
        stream.resume().on('end', () => callback(replyWith(554, 'Looks like spam')));
      },
    });
    await expect(mail.sendMail(message)).rejects.toMatchObject({ permanent: true });
  });

  it('retries if the authentication failed, and does not show the password', async () => {
    const { mail } = await smtp(
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_auth, _session, callback) => callback(replyWith(535, 'Wrong')),
      },
      'upwatch:hunter22@',
    );
    const error = await mail.sendMail(message).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ permanent: false, message: 'The mail server rejected the user name or password' });
    expect(String((error as Error).stack)).not.toContain('hunter22');
  });
});

it('reports an unreachable server as retryable', async () => {
  const mail = await mailWith('smtp://127.0.0.1:1');
  await expect(mail.sendMail(message)).rejects.toMatchObject({
    permanent: false,
    message: 'The mail server cannot be reached',
  });
  mail.closeMail();
});

it('stores undelivered mail for administrators without an SMTP server', async () => {
  const mail = await mailWith('');
  await db.team.create({ data: { id: message.teamId, name: 'Northwind', plan: 'self_hosted' } });
  expect(await mail.sendMail({ ...message, html: '<p>unused</p>' })).toEqual({ kept: true });
  const kept = await db.undeliveredMail.findMany();
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatchObject(message);
  await db.team.delete({ where: { id: message.teamId } });
  expect(await db.undeliveredMail.count()).toBe(0);
});

describe('flooding mail server', () => {
  it.each([
    ['an endless multi-line reply', '250-more\r\n'],
    ['one endless line', 'x'.repeat(1_000)],
  ])('is disconnected if it sends %s', async (_name, text) => {
    const bytes = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 mail.test\r\n');
      socket.once('data', () => {
        const write = () => {
          while (!socket.destroyed && socket.write(bytes));
        };
        socket.resume();
        socket.on('drain', write);
        write();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const mail = await mailWith(`smtp://127.0.0.1:${port}`);
    const sent = mail.sendMail({ to: 'a@example.test', subject: 's', text: 't', teamId: 'team' });
    await expect(sent).rejects.toBeInstanceOf(mail.MailError);
    mail.closeMail();
    server.close();
    // It closes with its last connection.
    await once(server, 'close');
  });
});
