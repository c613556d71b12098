import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { evaluate } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { PingConfig } from '@/server/monitor-types/schema';
import { asTeam } from '@/tests/integration/checks/targets';

const path = process.env.PATH ?? '';
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'upwatch-ping-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Puts a program named ping before the system's in PATH. */
function install(script: string, mode = 0o755): void {
  const file = join(directory, 'ping');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, mode);
  vi.stubEnv('PATH', `${directory}:${path}`);
}

async function check(host: string, changes: Record<string, unknown> = {}) {
  const config = PingConfig.parse({ host, timeoutMs: 2_000, ...changes });
  const seen = await observe({ type: 'ping', config }, asTeam());
  return { ...seen, ...evaluate({ type: 'ping', config }, seen, new Date()) };
}

/** Whether this machine can ping itself: some containers cannot. */
const canPing = (() => {
  try {
    execFileSync('ping', ['-c', '1', '127.0.0.1'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!canPing)('ping command of the system', () => {
  it('reaches this machine, by name too', async () => {
    const seen = await check('127.0.0.1');
    expect(seen).toMatchObject({
      outcome: 'ok',
      evidence: { sent: 3, received: 3 },
      family: 4,
      status: 'up',
      error: null,
    });
    expect(seen.latencyMs).toBeLessThan(100);
    expect(seen.timings.firstByteMs).toBe(seen.latencyMs);
    const named = await check('localhost', { packetCount: 1 });
    expect(named).toMatchObject({ status: 'up', evidence: { sent: 1, received: 1 } });
    expect(named.timings.dnsMs).toBeGreaterThan(0);
  });

  it('sends packets of the size that was set', async () => {
    const seen = await check('127.0.0.1', { packetCount: 1, packetBytes: 1_000 });
    expect(seen).toMatchObject({ status: 'up', evidence: { received: 1 } });
    expect(String(seen.trace.exchanges[0]?.body)).toContain('1008 bytes from 127.0.0.1');
  });
});

describe('ping probe', () => {
  it('runs without a shell, on the checked address', async () => {
    install(`printf '%s\\n' "$*" > ${directory}/args; echo "$LC_ALL" >> ${directory}/args
      echo '2 packets transmitted, 2 packets received, 0% packet loss'
      echo 'round-trip min/avg/max = 1.0/2.5/4.0 ms'`);
    const seen = await check('localhost', { packetCount: 2 });
    expect(seen).toMatchObject({ status: 'up', latencyMs: 2.5, evidence: { sent: 2, received: 2 } });
    const [args, locale] = readFileSync(join(directory, 'args'), 'utf8').trim().split('\n');
    expect(args).toMatch(/^-n -c 2 -i 0\.2 (127\.0\.0\.1|::1)$/);
    expect(locale).toBe('C');
    expect(() => PingConfig.parse({ host: '127.0.0.1; touch x' })).toThrow('host');
    expect(existsSync(join(directory, 'x'))).toBe(false);
  });

  it('is down if the mean round trip is too long', async () => {
    install(`printf '%s\\n' "$*" > ${directory}/args
      echo '2 packets transmitted, 2 packets received, 0% packet loss'
      echo 'round-trip min/avg/max = 1.0/2.5/4.0 ms'`);
    const config = { packetCount: 2, packetBytes: 1_472 };
    expect(await check('127.0.0.1', { ...config, maxRoundTripMs: 3 })).toMatchObject({ status: 'up' });
    expect(readFileSync(join(directory, 'args'), 'utf8').trim()).toBe('-n -c 2 -i 0.2 -s 1472 127.0.0.1');
    expect(await check('127.0.0.1', { ...config, maxRoundTripMs: 2 })).toMatchObject({
      status: 'down',
      error: 'The mean round trip took 2.5 ms, more than 2 ms',
    });
  });

  it('counts lost packets', async () => {
    install(`echo '3 packets transmitted, 2 received, 33% packet loss, time 400ms'
      echo 'rtt min/avg/max/mdev = 1/2/3/1 ms'; exit 1`);
    expect(await check('127.0.0.1')).toMatchObject({ status: 'down', error: expect.stringContaining('1 of 3') });
    expect(await check('127.0.0.1', { maxLossPercent: 40 })).toMatchObject({ status: 'up' });
  });

  it('reports at the timeout what it has received', async () => {
    install(`trap "echo '3 packets transmitted, 0 received, 100% packet loss, time 500ms'; exit 1" INT
      while true; do sleep 0.05; done`);
    const seen = await check('127.0.0.1', { timeoutMs: 700 });
    expect(seen).toMatchObject({ status: 'down', error: 'None of 3 packets was answered' });
  });

  it('is killed if it hangs', async () => {
    install(`trap '' INT; echo $$ > ${directory}/pid; exec sleep 30`);
    const seen = await check('127.0.0.1', { timeoutMs: 700 });
    expect(seen).toMatchObject({ status: 'unknown' });
    const pid = Number(readFileSync(join(directory, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('explains why ping could not run, and opens no incident', async () => {
    install('echo "ping: socket: Operation not permitted" >&2; exit 2');
    expect(await check('127.0.0.1')).toMatchObject({
      outcome: 'unknown',
      status: 'unknown',
      error: 'ping may not run here: it lacks the right to open ICMP sockets',
    });
    rmSync(join(directory, 'ping'));
    symlinkSync(execFileSync('sh', ['-c', 'command -v env']).toString().trim(), join(directory, 'env'));
    vi.stubEnv('PATH', directory);
    expect(await check('127.0.0.1')).toMatchObject({
      status: 'unknown',
      error: 'The ping command is not installed on the machine that runs the check',
    });
  });

  it('fails if the name does not resolve', async () => {
    expect(await check('nowhere.invalid')).toMatchObject({ outcome: 'failed', status: 'down' });
  });

  it('ends without an observation when aborted', async () => {
    install('exec sleep 30');
    const stop = new AbortController();
    const seen = observe({ type: 'ping', config: PingConfig.parse({ host: '127.0.0.1' }) }, asTeam(stop.signal));
    setTimeout(() => stop.abort(new Error('The worker stops')), 100);
    await expect(seen).rejects.toThrow('The worker stops');
  });
});
