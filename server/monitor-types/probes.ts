import type { CheckedType } from '@/server/monitor-types/schema';
import type { ConfigOf } from './definitions';
import { observeDns } from './dns/probe';
import { observeGrpc } from './grpc/probe';
import { observeHttp } from './http/probe';
import { observePing } from './ping/probe';
import type { ObserveOptions } from './probing/attempt';
import type { Observation } from './probing/observation';
import { observeSmtp } from './smtp/probe';
import { observeTcp } from './tcp/probe';
import { observeTls } from './tls/probe';
import { observeWebSocket } from './websocket/probe';

export type { ObserveOptions };

/** The probe of each monitor type. */
const observers = {
  http: observeHttp,
  tcp: observeTcp,
  ping: observePing,
  dns: observeDns,
  tls: observeTls,
  websocket: observeWebSocket,
  grpc: observeGrpc,
  smtp: observeSmtp,
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
