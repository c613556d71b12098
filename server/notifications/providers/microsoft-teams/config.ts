import type { z } from 'zod';
import { incomingWebhook } from '../fields';

export const MicrosoftTeamsConfig = incomingWebhook();
export type MicrosoftTeamsConfig = z.infer<typeof MicrosoftTeamsConfig>;
