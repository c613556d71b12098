import { z } from 'zod';
import { PhoneNumber, secret } from '../fields';

export const TwilioConfig = z.strictObject({
  accountSid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, { error: 'Enter the Account SID: AC and 32 characters.' }),
  authToken: secret(z.string().regex(/^[0-9a-zA-Z]{32}$/), 'Enter the auth token, 32 characters.'),
  from: z
    .string()
    .trim()
    // A sender ID has a letter: digits alone are a short code.
    .regex(/^(\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[-A-Za-z0-9 +_&]{1,11})$/, {
      error: 'Enter a phone number such as +15550123456, a messaging service SID (MG…), or a sender ID.',
    }),
  to: PhoneNumber,
});
export type TwilioConfig = z.infer<typeof TwilioConfig>;
