import { z } from 'zod';
import { secret, Token } from '../fields';

export const OpsgenieConfig = z.strictObject({
  apiKey: secret(Token, 'Enter the API key as Opsgenie shows it.'),
  region: z.enum(['us', 'eu', 'jsm'], { error: 'Enter us, eu or jsm.' }).default('us'),
});
export type OpsgenieConfig = z.infer<typeof OpsgenieConfig>;
