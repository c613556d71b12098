import type { z } from 'zod';
import { incomingWebhook } from '../fields';

export const MattermostConfig = incomingWebhook();
export type MattermostConfig = z.infer<typeof MattermostConfig>;
