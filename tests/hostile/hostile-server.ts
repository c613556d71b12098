import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface HostileServer {
  linePort: number;
  mailPort: number;
  /** Serves a case by its index; a good answer if negative. @returns its port */
  open(index: number): Promise<number>;
  close(index: number): Promise<unknown>;
  /** Sets the case that the mail server serves. */
  takeMail(index: number): Promise<unknown>;
  stop(): Promise<void>;
}

interface Said {
  id: number;
  port: number;
  line?: number;
  mail?: number;
}

/** Starts the process that serves the cases generated from a seed. */
export async function startHostileServer(firstSeed: number): Promise<HostileServer> {
  const file = fileURLToPath(new URL('./hostile-process.ts', import.meta.url));
  const child = fork(file, [String(firstSeed)], { execArgv: ['--import', 'tsx'] });
  const waiting = new Map<number, (port: number) => void>();
  let last = 0;
  const [ready] = (await once(child, 'message')) as [Said];
  child.on('message', ({ id, port }: Said) => {
    waiting.get(id)?.(port);
    waiting.delete(id);
  });
  const ask = (message: object) =>
    new Promise<number>((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      child.send({ id: last, ...message });
    });
  return {
    linePort: ready.line ?? 0,
    mailPort: ready.mail ?? 0,
    open: (index) => ask({ open: index }),
    close: (index) => ask({ close: index }),
    takeMail: (index) => ask({ mail: index }),
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
