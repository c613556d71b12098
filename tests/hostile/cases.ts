import type { MonitorType } from '@/server/monitor-types/schema';
import type { Answer, Expected, Family } from './answer';
import { dnsAnswers, slowDns } from './answers/dns';
import { grpcAnswers, slowGrpc } from './answers/grpc';
import { httpAnswers, slowHttp } from './answers/http';
import { imapAnswers, pop3Answers, slowMailbox } from './answers/mailbox';
import { mqttAnswers, slowMqtt } from './answers/mqtt';
import { mysqlAnswers, slowMysql } from './answers/mysql';
import { postgresqlAnswers, slowPostgresql } from './answers/postgresql';
import { redisAnswers, slowRedis } from './answers/redis';
import { slowSmtp, smtpAnswers, smtpMonitorAnswers } from './answers/smtp';
import { slowSsh, sshAnswers } from './answers/ssh';
import { slowTcp, tcpAnswers } from './answers/tcp';
import { certificates, damagedTls, handshakes, overTls, slowHandshakes, trusted } from './answers/tls';
import { slowWebsocket, websocketAnswers } from './answers/websocket';
import { Random } from './random';

export type MonitorKind = MonitorType;
/** Kinds that read successful answers too, each in another form; the others share their code. */
const READERS = ['rocketchat', 'zulip', 'matrix'] as const;
export type ChannelKind = 'webhook' | 'slack' | 'discord' | 'line' | 'telegram' | 'email' | (typeof READERS)[number];

/** One answer, and the monitor type or channel kind that receives it. */
export interface Case {
  seed: number;
  subject: { monitor: MonitorKind; config: (port: number) => object } | { channel: ChannelKind };
  /** Null if no server takes part: the answer is a ping. */
  answer: Answer | null;
  expected: Expected;
  name: string;
}

type Plan = { families: Family[]; isSlow?: boolean } & (
  | { monitor: MonitorKind; config: (port: number) => object; secure?: boolean; isVerified?: boolean }
  | { channel: ChannelKind }
);

const list = (families: Record<string, Family>) => Object.values(families);
const http = (port: number) => ({ url: `http://localhost:${port}/` });
const https = (port: number) => ({ url: `https://localhost:${port}/` });
const steps = (port: number) => ({ steps: [{ name: 'One', ...http(port) }] });
const any = (port: number) => ({ ...https(port), verifyTls: false });
const tcp = (port: number) => ({ host: 'localhost', port, send: 'hello', expect: 'ready' });
const tls = (port: number) => ({ host: 'localhost', port });
const ws = (port: number) => ({ url: `ws://localhost:${port}/`, expect: 'ready' });
const wss = (port: number) => ({ url: `wss://localhost:${port}/`, expect: 'ready' });
const grpc = (port: number) => ({ host: 'localhost', port });
const smtp = (port: number) => ({ host: 'localhost', port });
const smtps = (port: number) => ({ ...smtp(port), security: 'tls' });
const mailbox = (protocol: 'imap' | 'pop3') => (port: number) => ({ ...login, port, protocol });
const ssh = (port: number) => ({ host: 'localhost', port, expect: 'ready' });
const redis = (port: number) => ({ host: 'localhost', port, role: 'primary' });
const login = { host: 'localhost', username: 'probe', password: 'a hostile password' };
const database = (port: number) => ({ ...login, port, expectedValue: '1' });
const mqtt = (port: number) => ({ host: 'localhost', port, topic: 'a', expect: 'ready' });
const secured = (make: (port: number) => object) => (port: number) => ({ ...make(port), tls: true });
const dns = (port: number) => ({
  host: 'ready.example.test',
  recordType: 'TXT',
  resolver: `127.0.0.1:${port}`,
  expect: { match: 'any', values: ['ready'] },
});

const failing = [...certificates, ...list(handshakes)];
const behindTls = (families: Family[]): Family[] => families.map((make) => (random) => overTls(make(random)));

const PLANS: Plan[] = [
  { monitor: 'http', config: http, families: httpAnswers },
  { monitor: 'http', config: https, families: behindTls(httpAnswers) },
  { monitor: 'http', config: http, families: list(slowHttp), isSlow: true },
  { monitor: 'http', config: https, families: [...failing, ...trusted, damagedTls] },
  {
    monitor: 'http',
    config: any,
    families: [...certificates.map(accepted), ...list(handshakes), ...trusted, damagedTls],
  },
  { monitor: 'http', config: https, families: list(slowHandshakes), isSlow: true },
  { monitor: 'multistep', config: steps, families: httpAnswers },
  { monitor: 'multistep', config: steps, families: list(slowHttp), isSlow: true },
  { monitor: 'tls', config: tls, families: [...failing, ...trusted, damagedTls] },
  { monitor: 'tls', config: tls, families: list(slowHandshakes), isSlow: true },
  { monitor: 'tcp', config: tcp, families: list(tcpAnswers) },
  { monitor: 'tcp', config: tcp, families: list(slowTcp), isSlow: true },
  {
    monitor: 'tcp',
    config: secured(tcp),
    families: [...behindTls(list(tcpAnswers)), ...failing, ...trusted, damagedTls],
  },
  { monitor: 'websocket', config: ws, families: list(websocketAnswers) },
  { monitor: 'websocket', config: ws, families: list(slowWebsocket), isSlow: true },
  { monitor: 'websocket', config: wss, families: [...behindTls(list(websocketAnswers)), ...failing] },
  { monitor: 'grpc', config: grpc, families: list(grpcAnswers) },
  { monitor: 'grpc', config: grpc, families: list(slowGrpc), isSlow: true },
  { monitor: 'grpc', config: secured(grpc), families: [...behindTls(list(grpcAnswers)), ...failing] },
  { monitor: 'smtp', config: smtp, families: list(smtpMonitorAnswers) },
  { monitor: 'smtp', config: smtp, families: list(slowSmtp), isSlow: true },
  { monitor: 'smtp', config: smtps, families: [...behindTls(list(smtpMonitorAnswers)), ...failing] },
  { monitor: 'redis', config: redis, families: list(redisAnswers) },
  { monitor: 'redis', config: redis, families: list(slowRedis), isSlow: true },
  { monitor: 'redis', config: secured(redis), families: [...behindTls(list(redisAnswers)), ...failing] },
  { monitor: 'postgresql', config: database, families: list(postgresqlAnswers) },
  { monitor: 'postgresql', config: database, families: list(slowPostgresql), isSlow: true },
  { monitor: 'mysql', config: database, families: list(mysqlAnswers) },
  { monitor: 'mysql', config: database, families: list(slowMysql), isSlow: true },
  { monitor: 'mqtt', config: mqtt, families: list(mqttAnswers) },
  { monitor: 'mqtt', config: mqtt, families: list(slowMqtt), isSlow: true },
  { monitor: 'mqtt', config: secured(mqtt), families: [...behindTls(list(mqttAnswers)), ...failing] },
  { monitor: 'ssh', config: ssh, families: list(sshAnswers) },
  { monitor: 'ssh', config: ssh, families: list(slowSsh), isSlow: true },
  { monitor: 'mailbox', config: mailbox('imap'), families: [...behindTls(list(imapAnswers)), ...failing] },
  { monitor: 'mailbox', config: mailbox('pop3'), families: behindTls(list(pop3Answers)) },
  { monitor: 'mailbox', config: mailbox('imap'), families: behindTls(list(slowMailbox)), isSlow: true },
  { monitor: 'dns', config: dns, families: list(dnsAnswers) },
  { monitor: 'dns', config: dns, families: list(slowDns), isSlow: true },
  { channel: 'webhook', families: [...httpAnswers, ...behindTls(httpAnswers)] },
  { channel: 'slack', families: httpAnswers },
  { channel: 'discord', families: httpAnswers },
  { channel: 'line', families: httpAnswers },
  { channel: 'telegram', families: httpAnswers },
  ...READERS.map((channel) => ({ channel, families: httpAnswers })),
  { channel: 'email', families: list(smtpAnswers) },
];
/** A channel waits for 10 s, so these are used only in a long run. */
const LONG_PLANS: Plan[] = [{ channel: 'webhook', families: list(slowHttp) }];
const WITHOUT_SERVER = ['ping', 'heartbeat'] as const;

/** A certificate that is not verified makes no difference. */
function accepted(make: Family): Family {
  return (random) => ({ ...make(random), expected: { monitor: 'up', channel: 'up' } });
}

const QUICK_MS = 5_000;
const DOWN_MS = 1_500;
const SLOW_MS = 300;

function caseOf(plan: Plan, make: Family, seed: number): Case {
  const answer = make(new Random(seed));
  if ('channel' in plan) {
    const { channel } = plan;
    return {
      seed,
      subject: { channel },
      answer,
      expected: answer.expected.channel,
      name: `${channel}: ${answer.name}`,
    };
  }
  const { monitor, config, isSlow } = plan;
  const expected = answer.expected.monitor;
  const timeoutMs = isSlow ? SLOW_MS : expected === 'up' ? QUICK_MS : DOWN_MS;
  const subject = { monitor, config: (port: number) => ({ ...config(port), timeoutMs, confirm: { failures: 1 } }) };
  return { seed, subject, answer, expected, name: `${monitor}: ${answer.name}` };
}

function kindsOf(plans: Plan[]): { plan: Plan; make: Family }[] {
  return plans.flatMap((plan) => plan.families.map((make) => ({ plan, make })));
}

const KINDS = kindsOf(PLANS);
const LONG_KINDS = kindsOf(LONG_PLANS);
const LONG_EVERY = 250;

/** The number of cases that cover every kind of answer once. */
export const ALL_KINDS = KINDS.length + WITHOUT_SERVER.length;

/** The `index`-th case: its kind follows from the index, its details from the seed and the index. */
export function makeCase(firstSeed: number, index: number): Case {
  const seed = firstSeed * 1_000_003 + index;
  if (index >= ALL_KINDS && index % LONG_EVERY === 0) {
    const long = LONG_KINDS[(index / LONG_EVERY) % LONG_KINDS.length];
    if (long) return caseOf(long.plan, long.make, seed);
  }
  const at = index % ALL_KINDS;
  const kind = KINDS[at];
  if (kind) return caseOf(kind.plan, kind.make, seed);
  const monitor = WITHOUT_SERVER[at - KINDS.length] ?? 'ping';
  const config = () => ({ host: '127.0.0.1', packetCount: 1, timeoutMs: QUICK_MS });
  return { seed, subject: { monitor, config }, answer: null, expected: 'up', name: monitor };
}

/** The answers that the quiet team's monitors get. */
export const goodAnswer: Answer = {
  name: 'a good answer',
  expected: { monitor: 'up', channel: 'up' },
  replies: ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', 'end'],
};
