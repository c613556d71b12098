import type { CheckedConfig } from '@/server/monitors/schema';
import type { Observation } from '../types';
import type { ObserveOptions } from './attempt';
import { observeDns } from './dns';
import { observeGrpc } from './grpc';
import { observeHttp } from './http';
import { observePing } from './ping';
import { observeTcp } from './tcp';
import { observeTls } from './tls';
import { observeWebSocket } from './websocket';

export type { ObserveOptions };

type CheckedType = CheckedConfig['type'];
type ConfigOf<T extends CheckedType> = Extract<CheckedConfig, { type: T }>['config'];
type Observers = { [T in CheckedType]: (config: ConfigOf<T>, options: ObserveOptions) => Promise<Observation> };

/** How each type of monitor is checked. */
const observers: Observers = {
  http: observeHttp,
  tcp: observeTcp,
  ping: observePing,
  dns: observeDns,
  tls: observeTls,
  websocket: observeWebSocket,
  grpc: observeGrpc,
};

/** Makes one check. Rejects only where the signal aborts; whatever goes wrong on the network is an observation. */
export function observe<T extends CheckedType>(
  { type, config }: { type: T; config: ConfigOf<T> },
  options: ObserveOptions,
): Promise<Observation> {
  return observers[type](config, options);
}
