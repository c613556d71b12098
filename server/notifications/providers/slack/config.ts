import type { z } from 'zod';
import { incomingWebhook } from '../fields';

export const SlackConfig = incomingWebhook();
export type SlackConfig = z.infer<typeof SlackConfig>;
