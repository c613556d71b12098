import type { MonitorType } from '@/server/monitor-types/schema';
import type { InitialConfig } from '../figures';
import { type DnsFields, dns } from './dns';
import { type GrpcFields, grpc } from './grpc';
import { type HeartbeatFields, heartbeat } from './heartbeat';
import { type HttpFields, http } from './http';
import { type PingFields, ping } from './ping';
import { type SmtpFields, smtp } from './smtp';
import { type TcpFields, tcp } from './tcp';
import { type TlsFields, tls } from './tls';
import type { TypeForm } from './type-form';
import { type WebSocketFields, websocket } from './websocket';

/** The fields of each type, as text that was typed. */
export interface TypeFields {
  http: HttpFields;
  tcp: TcpFields;
  ping: PingFields;
  dns: DnsFields;
  tls: TlsFields;
  websocket: WebSocketFields;
  grpc: GrpcFields;
  smtp: SmtpFields;
  heartbeat: HeartbeatFields;
}

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
