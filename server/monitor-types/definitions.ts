import type { z } from 'zod';
import type { TypeDefinition } from './definition';
import { dns } from './dns/definition';
import { grpc } from './grpc/definition';
import { heartbeat } from './heartbeat/definition';
import { http } from './http/definition';
import { ping } from './ping/definition';
import { smtp } from './smtp/definition';
import { tcp } from './tcp/definition';
import { tls } from './tls/definition';
import { websocket } from './websocket/definition';

/** All monitor types. Adding a type starts here. */
export const definitions = { http, tcp, ping, dns, tls, websocket, grpc, smtp, heartbeat };

export type MonitorType = keyof typeof definitions;
/** Types that wait for pings; a worker checks all others over the network. */
export type PassiveType = {
  [T in MonitorType]: (typeof definitions)[T] extends { schedule: unknown } ? T : never;
}[MonitorType];

export type ConfigOf<T extends MonitorType> = z.output<(typeof definitions)[T]['schema']>;

/** Every type, in display order. */
export const monitorTypes = Object.keys(definitions) as [MonitorType, ...MonitorType[]];

/** A type's definition if the type is only known at run time: its functions take the config of that type. */
export function definitionOf(type: MonitorType): TypeDefinition {
  return definitions[type];
}

/** Whether monitors of a type wait for pings instead of being checked. */
export function isPassive(type: MonitorType): type is PassiveType {
  return definitionOf(type).schedule !== undefined;
}

export const passiveTypes = monitorTypes.filter(isPassive);
