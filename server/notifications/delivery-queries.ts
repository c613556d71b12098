import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { confirmationOf } from './recipient-queries';
import type { ChannelType, Confirmation } from './schema';

/** How long a claim keeps others away. Longer than a send, so that it only runs out where the sender died. */
export const LEASE_MS = 25_000;

/** The right to attempt a delivery, with what is to be sent where. */
export interface DeliveryClaim {
  id: string;
  teamId: string;
  channelId: string;
  event: string;
  payload: unknown;
  type: ChannelType;
  config: unknown;
  /** Whether the address of an email channel gets messages; null for other types. */
  confirmation: Confirmation | null;
  /** Attempts made so far. */
  attempts: number;
  /** The database's clock; the times of other machines are not compared. */
  at: Date;
  /** Also the token that says whether this claim is still the last one. */
  leaseUntil: Date;
}

/**
 * Takes those of the deliveries that are pending, whose time has come and that wait for no earlier message. Of two that
 * try at once, one gets it: the row's lock makes the second look again, and then `next_attempt_at` lies in the future.
 */
export function claimDeliveries(ids: string[]): Promise<DeliveryClaim[]> {
  return db.$queryRaw<DeliveryClaim[]>`
    with due as materialized (
      select id from deliveries due
      where id = any(${ids}::text[]) and status = 'pending' and next_attempt_at <= clock_timestamp()
        and (select earlier.status from deliveries earlier where earlier.id = due.after_id) is distinct from 'pending'
      order by id for no key update
    )
    update deliveries delivery
    set next_attempt_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    from due, channels channel
    where delivery.id = due.id and channel.id = delivery.channel_id
    returning delivery.id, delivery.team_id as "teamId", delivery.channel_id as "channelId", delivery.event,
      delivery.payload, channel.type::text as "type", channel.config,
      ${confirmationOf(Prisma.sql`channel`)} as "confirmation", delivery.next_attempt_at as "leaseUntil",
      clock_timestamp()::timestamptz(3) as "at",
      (select count(*)::int from delivery_attempts attempt where attempt.delivery_id = delivery.id) as "attempts"`;
}
