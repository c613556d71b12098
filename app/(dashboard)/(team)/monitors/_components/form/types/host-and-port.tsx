import { TextField } from '../fields';
import type { MonitorFields } from '../monitor-fields';

/** The types whose target is a host and a port. */
type WithPort = {
  [T in keyof MonitorFields]: MonitorFields[T] extends { host: string; port: string } ? T : never;
}[keyof MonitorFields];

/** Where a monitor connects to. */
export function HostAndPort({ of, placeholder, port }: { of: WithPort; placeholder: string; port: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
      <TextField name={`${of}.host`} label="Host" mono autoComplete="off" placeholder={placeholder} />
      <TextField name={`${of}.port`} label="Port" mono inputMode="numeric" autoComplete="off" placeholder={port} />
    </div>
  );
}
