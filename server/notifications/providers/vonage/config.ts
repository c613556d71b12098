import { z } from 'zod';
import { PhoneNumber, secret, Token } from '../fields';

export const VonageConfig = z.strictObject({
  apiKey: z.string().regex(/^[0-9a-zA-Z]{6,32}$/, { error: 'Enter the API key as Vonage shows it.' }),
  apiSecret: secret(Token, 'Enter the API secret as Vonage shows it.'),
  from: z
    .string()
    .trim()
    .regex(/^(\+?[1-9]\d{6,14}|[A-Za-z0-9 ]{1,11})$/, {
      error: 'Enter a phone number or a sender ID of up to 11 letters.',
    }),
  to: PhoneNumber,
  region: z.enum(['global', 'us', 'eu', 'ap'], { error: 'Enter global, us, eu or ap.' }).default('global'),
});
export type VonageConfig = z.infer<typeof VonageConfig>;
