import type { CheckedConfig, CheckedType } from '@/server/monitor-types/schema';
import type { DialTarget } from '@/server/platform/net';
import { loginTarget } from './config/login';
import { mailTarget } from './config/mail-security';
import type { ConfigOf } from './definitions';
import { observeDns } from './dns/probe';
import { observeDomain } from './domain/probe';
import { grpcTarget, observeGrpc } from './grpc/probe';
import { httpTargetOf, observeHttp } from './http/probe';
import { observeMailbox } from './mailbox/probe';
import { observeMqtt } from './mqtt/probe';
import { observeMultistep } from './multistep/probe';
import { observeMysql } from './mysql/probe';
import { observePing } from './ping/probe';
import { observePostgresql } from './postgresql/probe';
import { Attempt, type ObserveOptions } from './probing/attempt';
import { dial } from './probing/dial';
import type { Observation } from './probing/observation';
import { observeRedis } from './redis/probe';
import { observeSmtp } from './smtp/probe';
import { observeSsh } from './ssh/probe';
import { observeTcp, tcpTarget } from './tcp/probe';
import { observeTls, tlsTarget } from './tls/probe';
import { observeWebSocket, webSocketTarget } from './websocket/probe';

export type { ObserveOptions };

/** The probe of each monitor type. */
const observers = {
  http: observeHttp,
  tcp: observeTcp,
  ping: observePing,
  dns: observeDns,
  tls: observeTls,
  domain: observeDomain,
  websocket: observeWebSocket,
  grpc: observeGrpc,
  smtp: observeSmtp,
  redis: observeRedis,
  postgresql: observePostgresql,
  mysql: observeMysql,
  mqtt: observeMqtt,
  ssh: observeSsh,
  mailbox: observeMailbox,
  multistep: observeMultistep,
} satisfies { [T in CheckedType]: (config: ConfigOf<T>, options: ObserveOptions) => Promise<Observation> };

/** The result of a type's probe, for its `evaluate`. */
export type EvidenceOf<T extends CheckedType> = NonNullable<Awaited<ReturnType<(typeof observers)[T]>>['evidence']>;

type Observe<T extends CheckedType> = (
  config: ConfigOf<T>,
  options: ObserveOptions,
) => Promise<Observation<EvidenceOf<T>>>;

/** Runs one check. Rejects only if the signal aborts; every network failure is an observation. */
export function observe<T extends CheckedType>(
  { type, config }: { type: T; config: ConfigOf<T> },
  options: ObserveOptions,
): Promise<Observation<EvidenceOf<T>>> {
  return (observers[type] as Observe<T>)(config, options);
}

/** Functions that return the target of a check's first connection, for the types whose connection can be tested alone. */
const connections = {
  http: httpTargetOf,
  tcp: tcpTarget,
  tls: tlsTarget,
  websocket: webSocketTarget,
  grpc: grpcTarget,
  smtp: mailTarget,
  redis: loginTarget,
} satisfies { [T in CheckedType]?: (config: ConfigOf<T>) => DialTarget };

/** Whether the connection of a type can be tested alone. */
const connects = (type: CheckedType): type is keyof typeof connections => type in connections;

/** The time limit of a connection test. A connection that takes longer has lost three packets. */
const LONGEST_TEST_MS = 4_000;

/**
 * Opens the first connection of a check and closes it, within 4 s or the check's timeout, if that is shorter. Rejects only if the signal aborts.
 * @returns whether the target failed; false also if the connection could not be tried
 */
export async function failsToConnect({ type, config }: CheckedConfig, options: ObserveOptions): Promise<boolean> {
  if (!connects(type)) return false;
  const target = (connections[type] as (config: unknown) => DialTarget)(config);
  const attempt = new Attempt(Math.min(LONGEST_TEST_MS, config.timeoutMs), options);
  const { outcome } = await attempt.observe(async () => {
    await dial(target, attempt);
    return {};
  });
  return outcome === 'failed';
}
