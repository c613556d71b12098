import { randomBytes } from 'node:crypto';
import { checkNow } from '@/server/checks/run/check-now';
import { definitions } from '@/server/monitor-types/schema';
import { recordPing, toPing } from '@/server/monitors/record-ping';
import { createChannel } from '@/server/notifications/create-channel';
import type { CreateChannelInput } from '@/server/notifications/schema';
import { testChannel } from '@/server/notifications/test-channel';
import { sha256 } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { closeMail } from '@/server/platform/mail';
import type { TeamContext } from '@/server/trpc/contexts';
import { kindSpecs } from '@/tests/support/channel-kinds';
import { ownState } from '@/tests/support/own-state';
import { pingBody } from './answers/pings';
import type { Case, ChannelKind, MonitorKind } from './cases';
import { Random } from './random';

/** The result of a case: the verdict, in terms of monitors, and the reason. */
export interface Met {
  verdict: string;
  error: string | null;
}

async function makeMonitor(teamId: string, type: MonitorKind, config: object, token: string | null = null) {
  const now = new Date();
  const parsed = definitions[type].schema.parse(config) as object;
  const pinged = token === null ? {} : { pingTokenHash: sha256(token) };
  return db.monitor.create({
    data: {
      id: newId(),
      teamId,
      type,
      name: type,
      config: parsed,
      intervalSeconds: 3600,
      ...pinged,
      states: { create: { teamId, dueAt: new Date(now.getTime() + 3_600_000), statusSince: now } },
      spans: { create: { startedAt: now, status: 'pending' } },
    },
  });
}

async function stored(monitorId: string): Promise<Met> {
  const { status, lastError } = await db.monitorState.findUniqueOrThrow({ where: ownState(monitorId) });
  return { verdict: status, error: lastError };
}

async function meetPing(teamId: string, seed: number): Promise<Met> {
  const token = randomBytes(18).toString('base64url');
  const { id } = await makeMonitor(teamId, 'heartbeat', {}, token);
  await recordPing(toPing({ token, signal: '', body: pingBody(new Random(seed)) }));
  return stored(id);
}

/** Checks a monitor now and reads the recorded check; both must agree. */
async function meetMonitor(teamId: string, type: MonitorKind, config: object): Promise<Met> {
  const monitor = await makeMonitor(teamId, type, config);
  const { status, error } = await checkNow(monitor, { canaries: [] });
  const kept = await stored(monitor.id);
  if (kept.verdict !== status) throw new Error(`The check says ${status} (${error}), its record ${kept.verdict}.`);
  return kept;
}

function channelInput(type: ChannelKind, index: number, port: number): CreateChannelInput {
  const url = `http://localhost:${port}/`;
  const name = `${type} ${index}`;
  switch (type) {
    case 'webhook':
      return { type, name, config: { url } };
    case 'slack':
    case 'discord':
      return { type, name, config: { webhookUrl: url } };
    case 'line':
      return { type, name, config: { channelAccessToken: `case-${index}`, to: 'U1' } };
    case 'telegram':
      return { type, name, config: { botToken: `${index}:${'A'.repeat(35)}`, chatId: '1', apiUrl: url } };
    case 'rocketchat':
      return { type, name, config: kindSpecs[type].config(`http://localhost:${port}`) };
    case 'zulip':
      return { type, name, config: kindSpecs[type].config(`http://localhost:${port}`) };
    case 'matrix':
      return { type, name, config: kindSpecs[type].config(`http://localhost:${port}`) };
    case 'email':
      return { type, name, config: { to: 'robin@example.test' } };
    default:
      return type satisfies never;
  }
}

async function meetChannel(
  ctx: TeamContext,
  type: ChannelKind,
  index: number,
  port: number,
  secure: boolean,
): Promise<Met> {
  const input = channelInput(type, index, port);
  if (input.type === 'webhook' && secure) input.config.url = `https://localhost:${port}/`;
  if (input.type === 'email') {
    await db.confirmedRecipient.create({ data: { teamId: ctx.team.id, address: input.config.to } });
  }
  const { id } = await createChannel({ ctx, input });
  const { status, attempts } = (await testChannel({ ctx, input: { id } })).delivery;
  // Connections are kept for the next message, which belongs to another case.
  if (type === 'email') closeMail();
  return {
    verdict: status === 'delivered' ? 'up' : status === 'failed' ? 'down' : status,
    error: attempts[0]?.error ?? null,
  };
}

/** Has the product check, or send to, the server at this port. */
export function meet(ctx: TeamContext, { subject, seed, answer }: Case, index: number, port: number): Promise<Met> {
  if ('channel' in subject) return meetChannel(ctx, subject.channel, index, port, answer?.tls !== undefined);
  if (subject.monitor === 'heartbeat') return meetPing(ctx.team.id, seed);
  return meetMonitor(ctx.team.id, subject.monitor, subject.config(port));
}
