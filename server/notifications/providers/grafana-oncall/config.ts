import { z } from 'zod';
import { secret, WEB_ADDRESS, WebAddress } from '../fields';

export const GrafanaOncallConfig = z.strictObject({ url: secret(WebAddress, WEB_ADDRESS) });
export type GrafanaOncallConfig = z.infer<typeof GrafanaOncallConfig>;
