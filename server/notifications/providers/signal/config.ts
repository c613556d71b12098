import { z } from 'zod';
import { PhoneNumber, WebAddress } from '../fields';

export const SignalConfig = z.strictObject({
  serverUrl: WebAddress,
  number: PhoneNumber,
  to: z
    .string()
    .trim()
    .max(200)
    .regex(/^(\+[1-9]\d{6,14}|group\.[A-Za-z0-9+/=]+)$/, {
      error: 'Enter a phone number with its country code, or a group ID: group.…',
    }),
});
export type SignalConfig = z.infer<typeof SignalConfig>;
