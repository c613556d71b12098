import { spawnSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { monitorTypes } from '@/server/monitor-types/definitions';
import { db } from '@/server/platform/db';
import { stopListening } from '@/server/platform/listen';
import { newTeam } from '@/tests/integration/notifications/support';
import { canCountDescriptors, closedDownTo, countDescriptors } from '@/tests/support/descriptors';
import { ALL_KINDS, makeCase } from './cases';
import type { HostileServer } from './hostile-server';
import { meet } from './meet';
import { type QuietTeam, startQuietTeam } from './quiet-team';
import { SEED, servers } from './setup';

const COUNT = Number(process.env.HOSTILE_ANSWERS ?? ALL_KINDS);
const AT_ONCE = 16;
const MOST_MEGABYTES = 64;
/** A machine that runs other tests at the same time is late anyway. */
const MOST_LATE_MS = 2_000;
const MB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let hostile: HostileServer;
let team: QuietTeam;
const canPing = spawnSync('ping', ['-c', '1', '127.0.0.1']).status === 0;

beforeAll(async () => {
  if (!servers.hostile || !servers.quiet) throw new Error('The servers were not started.');
  hostile = servers.hostile;
  team = await startQuietTeam(await servers.quiet.open(-1));
  // Opens as many connections as the pool allows, so that later ones do not look like leaks.
  await Promise.all(Array.from({ length: 12 }, () => db.$queryRaw`select pg_sleep(0.2)::text`));
}, 60_000);

afterAll(async () => {
  await team.stop();
  await stopListening();
  await Promise.all([servers.hostile?.stop(), servers.quiet?.stop()]);
});

function megabytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
}

/** Runs a case and describes the problem with its result; null without one. */
async function problemOf(index: number): Promise<string | null> {
  const each = makeCase(SEED, index);
  const { subject, expected, name } = each;
  if ('monitor' in subject && subject.monitor === 'ping' && !canPing) return null;
  const ctx = await newTeam();
  const isMail = 'channel' in subject && subject.channel === 'email';
  const port = each.answer && !isMail ? await hostile.open(index) : 0;
  if (isMail) await hostile.takeMail(index);
  try {
    const { verdict, error } = await meet(ctx, each, index, port);
    const isRight = expected === 'either' ? /^(up|down)$/.test(verdict) : verdict === expected;
    if (!isRight) return `case ${index} (${name}): expected ${expected}, got ${verdict}: ${error}`;
    if (verdict === 'down' && !error) return `case ${index} (${name}): down without a cause`;
    if (/[\p{Cc}\p{Bidi_Control}]/u.test(error ?? '') || (error?.length ?? 0) > 501)
      return `case ${index} (${name}): a cause that cannot be shown: ${JSON.stringify(error)}`;
    return null;
  } catch (error) {
    return `case ${index} (${name}): threw ${error instanceof Error ? error.stack : error}`;
  } finally {
    if (port > 0) await hostile.close(index);
    await db.team.delete({ where: { id: ctx.team.id } });
  }
}

/** All mail goes to one address, so its cases run one after the other. */
async function problemsOf(indexes: number[]): Promise<string[]> {
  const isMail = (index: number) => {
    const { subject } = makeCase(SEED, index);
    return 'channel' in subject && subject.channel === 'email';
  };
  const found = await Promise.all(indexes.filter((index) => !isMail(index)).map(problemOf));
  for (const index of indexes.filter(isMail)) found.push(await problemOf(index));
  return found.filter((problem) => problem !== null);
}

const inWords = ({ checks, p50, p99, most }: Awaited<ReturnType<QuietTeam['lateness']>>) =>
  `${checks} checks, lateness p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`;

it('has cases for every monitor type but domain, whose registries are in tests of its own', () => {
  const subjects = Array.from({ length: ALL_KINDS }, (_, index) => makeCase(SEED, index).subject);
  const met = subjects.flatMap((subject) => ('monitor' in subject ? [subject.monitor] : []));
  expect(monitorTypes.filter((type) => !met.includes(type))).toEqual(['domain']);
});

it(
  `keeps descriptors, memory, other teams' checks and verdicts within bounds over ${COUNT} hostile responses`,
  async () => {
    console.log(`Hostile answers: ${COUNT}, HOSTILE_SEED=${SEED}`);
    const started = new Date();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const before = await team.lateness(started);
    const descriptors = countDescriptors();
    const memory = megabytes();
    const began = new Date();
    const problems: string[] = [];
    let most = memory;
    for (let first = 0; first < COUNT; first += AT_ONCE) {
      const from = new Date();
      const indexes = Array.from({ length: Math.min(AT_ONCE, COUNT - first) }, (_, offset) => first + offset);
      const found = await problemsOf(indexes);
      const names = indexes.map((index) => `${index} (${makeCase(SEED, index).name})`).join(', ');
      if (canCountDescriptors) {
        await closedDownTo(descriptors, 8_000).catch(() => {
          found.push(`${countDescriptors() - descriptors} more descriptors after ${names}`);
        });
      }
      const used = megabytes();
      most = Math.max(most, used);
      if (used > memory + MOST_MEGABYTES) found.push(`${Math.round(used - memory)} MB more memory after ${names}`);
      const { most: late, notUp } = await team.lateness(from);
      if (late > MOST_LATE_MS) found.push(`another team's check was ${late} ms late beside ${names}`);
      found.push(...notUp.map((each) => `another team's monitor was ${each} beside ${names}`));
      for (const problem of found) console.log(problem);
      problems.push(...found);
    }
    const beside = await team.lateness(began);
    const { rss } = process.memoryUsage();
    console.log(`The quiet team alone: ${inWords(before)}`);
    console.log(`Beside ${COUNT} hostile answers: ${inWords(beside)}`);
    console.log(
      `Descriptors ${descriptors} → ${countDescriptors()}; memory ${memory.toFixed(1)} → ${megabytes().toFixed(1)} MB, at most ${most.toFixed(1)}; resident ${Math.round(rss / MB)} MB`,
    );
    expect(problems).toEqual([]);
  },
  60_000 + COUNT * 1_000,
);
