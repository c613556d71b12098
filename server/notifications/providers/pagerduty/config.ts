import { z } from 'zod';
import { secret } from '../fields';

export const PagerdutyConfig = z.strictObject({
  routingKey: secret(z.string().regex(/^[0-9a-zA-Z]{32}$/), 'Enter the integration key, 32 letters and digits.'),
  region: z.enum(['us', 'eu'], { error: 'Enter us or eu.' }).default('us'),
});
export type PagerdutyConfig = z.infer<typeof PagerdutyConfig>;
