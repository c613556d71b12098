import { connect } from 'node:net';

/** A host and port that accept connections from everywhere. */
export interface CanaryTarget {
  host: string;
  port: number;
}

const TIMEOUT_MS = 700;

/** Returns whether a connection opens within 0.7 s. */
function opens({ host, port }: CanaryTarget): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => end(false), TIMEOUT_MS);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}

/** Returns whether a connection to any of the targets opens. Tries all at once, for at most 0.7 s. */
export async function anyOpens(targets: CanaryTarget[]): Promise<boolean> {
  try {
    return await Promise.any(
      targets.map(async (target) => {
        if (!(await opens(target))) throw new Error('It did not open');
        return true;
      }),
    );
  } catch {
    return false;
  }
}
