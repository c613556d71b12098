import type { MonitorType, TypedConfig } from '@/server/monitors/schema';
import type { Observation } from '../types';
import { observeHttp } from './http';
import { observeTcp } from './tcp';

type ConfigOf<T extends MonitorType> = Extract<TypedConfig, { type: T }>['config'];
type Observers = { [T in MonitorType]: (config: ConfigOf<T>, signal: AbortSignal) => Promise<Observation> };

/** How each type of monitor is checked. */
const observers: Observers = { http: observeHttp, tcp: observeTcp };

/** Makes one check. Rejects only where `signal` aborts; whatever goes wrong on the network is an observation. */
export function observe<T extends MonitorType>(
  { type, config }: { type: T; config: ConfigOf<T> },
  signal: AbortSignal,
): Promise<Observation> {
  return observers[type](config, signal);
}
