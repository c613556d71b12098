import type { z } from 'zod';
import { incomingWebhook } from '../fields';

export const RocketchatConfig = incomingWebhook();
export type RocketchatConfig = z.infer<typeof RocketchatConfig>;
