import { z } from 'zod';
import { secret, WEB_ADDRESS, WebAddress } from '../fields';

export const SplunkOnCallConfig = z.strictObject({ url: secret(WebAddress, WEB_ADDRESS) });
export type SplunkOnCallConfig = z.infer<typeof SplunkOnCallConfig>;
