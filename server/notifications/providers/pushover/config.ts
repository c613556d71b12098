import { z } from 'zod';
import { secret } from '../fields';

const Key = z.string().regex(/^[A-Za-z0-9]{30}$/);

export const PushoverConfig = z.strictObject({
  userKey: secret(Key, 'Enter the user or group key, 30 letters and digits.'),
  apiToken: secret(Key, 'Enter the API token of the application, 30 letters and digits.'),
  device: z
    .string()
    .regex(/^[\w-]{0,25}(,[\w-]{1,25}){0,20}$/, { error: 'Enter the names of devices, separated by commas.' })
    .default(''),
});
export type PushoverConfig = z.infer<typeof PushoverConfig>;
