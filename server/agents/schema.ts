import { z } from 'zod';
import { StrictLine } from '@/server/text/schema';

/** The name of a private region, without its prefix: the same format as a worker's REGION. */
const RegionName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'A region has up to 32 lowercase letters, digits and hyphens.');

/** A new token for agents of one region. The region exists once it has a token, or a monitor names it. */
export const CreateAgentTokenInput = z.strictObject({
  name: StrictLine.min(1, 'Enter a name.').max(100),
  region: RegionName,
});
export type CreateAgentTokenInput = z.infer<typeof CreateAgentTokenInput>;

/** A token without its secret; `prefix` is the start of the secret. */
export const AgentToken = z.object({
  id: z.string(),
  name: z.string(),
  /** As monitors name it, with `private/`. */
  region: z.string(),
  prefix: z.string(),
  lastUsedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  /** Null if that account was deleted. */
  createdBy: z.object({ id: z.string(), name: z.string().nullable(), email: z.string() }).nullable(),
});
export type AgentToken = z.infer<typeof AgentToken>;

/** A new token with its secret, which is returned only once. */
export const CreatedAgentToken = z.object({ agentToken: AgentToken, secret: z.string() });
export type CreatedAgentToken = z.infer<typeof CreatedAgentToken>;

/** An agent that runs, or ran within the last day. */
export const Agent = z.object({
  id: z.string(),
  /** The name of its machine, or what its `--name` says. */
  name: z.string(),
  region: z.string(),
  tokenId: z.string(),
  version: z.string(),
  startedAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  /** False if it has not reported for 35 s. */
  isAlive: z.boolean(),
  /** In the last five minutes. */
  checksPerMinute: z.number(),
  /** How late 99 % of its checks start at most; null without checks. */
  latenessP99Ms: z.number().nullable(),
  /** By how much its clock is ahead of the server's; null before it was measured. */
  clockOffsetMs: z.number().nullable(),
  /** False while its own network is down. */
  hasNetwork: z.boolean(),
});
export type Agent = z.infer<typeof Agent>;
