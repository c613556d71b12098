import { z } from 'zod';
import { PhoneNumber, secret } from '../fields';

const INVALID_FROM = {
  error: 'Enter a phone number such as +15550123456, a messaging service SID (MG…), or a sender ID.',
};

export const TwilioConfig = z.strictObject({
  accountSid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, { error: 'Enter the Account SID: AC and 32 characters.' }),
  authToken: secret(z.string().regex(/^[0-9a-zA-Z]{32}$/), 'Enter the auth token, 32 characters.'),
  from: z
    .string()
    .trim()
    // A sender ID has a letter: digits alone are a short code. Without look-around, which linear-time engines do not have.
    .regex(/^(\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-fA-F]{32}|[-0-9 +_&]{0,10}[A-Za-z][-A-Za-z0-9 +_&]{0,10})$/, INVALID_FROM)
    .refine((from) => from.length <= 11 || /^(\+\d+|MG[0-9a-fA-F]{32})$/.test(from), INVALID_FROM),
  to: PhoneNumber,
});
export type TwilioConfig = z.infer<typeof TwilioConfig>;
