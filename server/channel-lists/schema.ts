import { z } from 'zod';

export { type ChannelCategory, type ChannelType, channelKinds, channelTypes } from './values';

/**
 * Whether messages arrive: the last one was accepted (`delivering`), failed and is retried (`retrying`), messages have not been accepted for a while
 * (`failing`), or none was sent (`untested`).
 */
export const ChannelState = z.enum(['delivering', 'retrying', 'failing', 'untested']);
export type ChannelState = z.output<typeof ChannelState>;

/** Why a pending message waits, if not for a retry: `quiet_hours` of its channel. */
export const DeliveryHold = z.enum(['quiet_hours']).nullable();
