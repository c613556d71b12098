import { z } from 'zod';
import { incomingWebhook, optionalSecret } from '../fields';

const SigningSecret = z.string().regex(/^\w{16,128}$/);

export const SlackConfig = incomingWebhook().extend({
  signingSecret: optionalSecret(SigningSecret, 'Enter the signing secret as Slack shows it: 32 letters and digits.'),
});
export type SlackConfig = z.infer<typeof SlackConfig>;
