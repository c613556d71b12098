import type { z } from 'zod';
import { incomingWebhook } from '../fields';

export const DiscordConfig = incomingWebhook();
export type DiscordConfig = z.infer<typeof DiscordConfig>;
