import { spawn } from 'node:child_process';
import { isIP } from 'node:net';
import { Attempt, type ObserveOptions, OwnFailure, type Seen } from '@/server/monitor-types/probing/attempt';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { PACKET_INTERVAL_MS, type PingConfig } from '@/server/monitor-types/schema';
import { CostlyTurns, type ResolvedAddress, resolveTarget } from '@/server/platform/net';
import { type Packets, parsePing, pingFault } from './output';

/** The time that `ping` has to print its summary after the deadline. */
const LAST_WORDS_MS = 500;
const MOST_OUTPUT_CHARACTERS = 16 * 1024;

interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Returns the arguments of `env`, which runs `ping`. It sets the locale, because some systems translate the output of `ping`, and its exit code shows
 * whether the program is missing.
 */
function commandFor({ address, family }: ResolvedAddress, { packetCount, packetBytes }: PingConfig): string[] {
  const program = process.platform === 'darwin' && family === 6 ? 'ping6' : 'ping';
  const every = String(PACKET_INTERVAL_MS / 1000);
  const size = packetBytes === undefined ? [] : ['-s', String(packetBytes)];
  return ['LC_ALL=C', 'LANGUAGE=C', program, '-n', '-c', String(packetCount), '-i', every, ...size, address];
}

/** Runs `ping` without a shell. At the deadline, SIGINT makes it print its summary; SIGKILL follows. */
function run(args: string[], signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('env', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    const gather = (stream: keyof typeof output) => (part: Buffer) => {
      if (output[stream].length < MOST_OUTPUT_CHARACTERS) output[stream] += part.toString('latin1');
    };
    child.stdout.on('data', gather('stdout'));
    child.stderr.on('data', gather('stderr'));
    let kill: NodeJS.Timeout | undefined;
    const interrupt = () => {
      child.kill('SIGINT');
      kill = setTimeout(() => child.kill('SIGKILL'), LAST_WORDS_MS);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    const end = () => {
      clearTimeout(kill);
      signal.removeEventListener('abort', interrupt);
    };
    child.once('error', (error) => {
      end();
      reject(new OwnFailure('ping could not be started on the machine that runs the check', { cause: error }));
    });
    child.once('close', (exitCode) => {
      end();
      resolve({ exitCode, ...output });
    });
  });
}

async function ping(config: PingConfig, attempt: Attempt): Promise<Seen<Packets>> {
  if (process.platform === 'win32') throw new OwnFailure('Ping checks require Linux, macOS or BSD');
  const from = attempt.now();
  const [target] = await resolveTarget(config.host, attempt.asker);
  if (!target) throw new OwnFailure('The address did not resolve');
  if (isIP(config.host) === 0) attempt.spent('dnsMs', from);
  attempt.family = target.family;
  attempt.trace.addresses = [target];
  const { packetCount, packetBytes } = config;
  const size = packetBytes === undefined ? '' : ` -s ${packetBytes}`;
  const exchange = attempt.exchange(`ping -c ${packetCount}${size} ${target.address}`);
  const command = commandFor(target, config);
  // Starting a process takes this thread several milliseconds, more the more memory this one has.
  const turns = new CostlyTurns(attempt.asker);
  const { exitCode, stdout, stderr } = await turns.take(() => run(command, attempt.signal));
  exchange.body = [stdout];
  const summary = parsePing(stdout);
  if (!summary || summary.sent === 0) throw new OwnFailure(pingFault(exitCode, stderr));
  const { sent, received, averageMs } = summary;
  if (averageMs !== null) attempt.timings.firstByteMs = averageMs;
  return { evidence: { sent, received }, ...(averageMs !== null && { latencyMs: averageMs }) };
}

/**
 * Sends ICMP echo requests (RFC 792, RFC 4443) by the system's `ping`, to the first allowed address of the host. `evaluate` judges the loss and the
 * round trip. The outcome is `unknown` if `ping` is missing or may not run. Rejects only if the signal aborts.
 */
export async function observePing(config: PingConfig, options: ObserveOptions): Promise<Observation<Packets>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(() => ping(config, attempt));
}
