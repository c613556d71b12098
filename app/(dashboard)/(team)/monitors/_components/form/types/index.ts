import type { MonitorType } from '@/server/monitor-types/schema';
import type { InitialConfig } from '../figures';
import type { TypeFields } from '../monitor-fields';
import { dns } from './dns';
import { grpc } from './grpc';
import { heartbeat } from './heartbeat';
import { http } from './http';
import { ping } from './ping';
import { smtp } from './smtp';
import { tcp } from './tcp';
import { tls } from './tls';
import type { TypeForm } from './type-form';
import { websocket } from './websocket';

/** The form of each type, in the order in which the types are offered. */
export const typeForms: { [T in MonitorType]: TypeForm<InitialConfig<T>, TypeFields[T]> } = {
  http,
  tcp,
  ping,
  dns,
  tls,
  websocket,
  grpc,
  smtp,
  heartbeat,
};

type AnyForm = TypeForm<Record<string, unknown>, Record<string, unknown>>;

/** A type's form where the type is known at run time only: its functions take the config and the fields of that type. */
export function formOf(type: MonitorType): AnyForm {
  return typeForms[type] as unknown as AnyForm;
}
