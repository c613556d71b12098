import { z } from 'zod';

export const EmailConfig = z.strictObject({
  to: z.email({ error: 'Enter one email address.' }).max(254),
});
export type EmailConfig = z.infer<typeof EmailConfig>;
