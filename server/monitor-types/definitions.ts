import type { z } from 'zod';
import type { MonitorType } from '@/server/monitor-lists/schema';
import type { TypeDefinition } from './definition';
import { dns } from './dns/definition';
import { domain } from './domain/definition';
import { grpc } from './grpc/definition';
import { heartbeat } from './heartbeat/definition';
import { http } from './http/definition';
import { mailbox } from './mailbox/definition';
import { mqtt } from './mqtt/definition';
import { multistep } from './multistep/definition';
import { mysql } from './mysql/definition';
import { ping } from './ping/definition';
import { postgresql } from './postgresql/definition';
import { redis } from './redis/definition';
import { smtp } from './smtp/definition';
import { ssh } from './ssh/definition';
import { tcp } from './tcp/definition';
import { tls } from './tls/definition';
import { websocket } from './websocket/definition';

export {
  isPassive,
  type MonitorType,
  monitorTypes,
  passiveTypes,
} from '@/server/monitor-lists/schema';

/** The definitions of all monitor types. */
export const definitions = {
  http,
  tcp,
  ping,
  dns,
  tls,
  domain,
  websocket,
  grpc,
  smtp,
  redis,
  postgresql,
  mysql,
  mqtt,
  ssh,
  mailbox,
  multistep,
  heartbeat,
} satisfies Record<MonitorType, unknown>;

export type ConfigOf<T extends MonitorType> = z.output<(typeof definitions)[T]['schema']>;

/** Returns the definition of a type that is only known at run time. Its functions take the config of that type. */
export function definitionOf(type: MonitorType): TypeDefinition {
  return definitions[type];
}
