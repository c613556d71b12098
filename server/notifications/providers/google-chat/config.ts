import type { z } from 'zod';
import { incomingWebhook } from '../fields';

export const GoogleChatConfig = incomingWebhook();
export type GoogleChatConfig = z.infer<typeof GoogleChatConfig>;
