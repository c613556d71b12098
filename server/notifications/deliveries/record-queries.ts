import type { Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { DeliveryStatus } from '@/server/platform/generated/prisma/enums';
import type { Exchange } from '../providers/exchange';
import { makeNextDue } from './line-queries';

/** An attempt at a delivery and its outcome. */
export interface AttemptRow {
  id: string;
  attemptId: string;
  ok: boolean;
  at: Date;
  /** The end of the lease under which the attempt was made; identifies the claim. */
  leaseUntil: Date;
  durationMs: number;
  status: DeliveryStatus;
  statusCode: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
  exchangeId: string | null;
}

/**
 * Inserts attempts at deliveries of a locked channel, and sets the status and the next attempt of each delivery. Makes the delivery behind each final
 * one due. An attempt whose claim has expired changes its delivery only if the message was accepted.
 * @returns the IDs of the changed deliveries
 */
export async function writeAttempts(tx: Tx, channelId: string, rows: AttemptRow[]): Promise<Set<string>> {
  // Raw: a set-based write of two tables under row locks.
  const changed = await tx.$queryRaw<{ id: string }[]>`
    with attempted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a (
        id text, ok boolean, "attemptId" text, at timestamptz, "leaseUntil" timestamptz, "durationMs" int,
        status delivery_status, "statusCode" int, error text, "nextAttemptAt" timestamptz, "exchangeId" text
      )
    ), locked as materialized (
      -- Old deliveries may be deleted meanwhile.
      select d.id from deliveries d join attempted a on a.id = d.id order by d.id for no key update of d
    ), recorded as (
      insert into delivery_attempts (id, delivery_id, at, duration_ms, status_code, error, exchange_id)
      select a."attemptId", a.id, a.at, a."durationMs", a."statusCode", a.error, a."exchangeId"
      from attempted a join locked on locked.id = a.id
    ), changed as (
      update deliveries d set status = a.status, next_attempt_at = a."nextAttemptAt"
      from locked join attempted a on a.id = locked.id
      where d.id = a.id and d.status = 'pending' and (a.ok or d.next_attempt_at = a."leaseUntil")
      returning d.id, d.incident_id, d.status
    ), ended as (
      select id, incident_id from changed where status <> 'pending'
    ), next as (${makeNextDue(channelId, Prisma.sql`ended`, Prisma.sql`clock_timestamp()`)})
    select id from changed`;
  return new Set(changed.map(({ id }) => id));
}

/** A request and its answer to store. */
export interface ExchangeRow {
  id: string;
  channelId: string;
  exchange: Exchange;
}

/** Stores requests and their responses. Drops those of channels that were deleted meanwhile. */
export async function writeExchanges(tx: Tx, rows: ExchangeRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Raw: holds the channels, so that none is deleted before the insert.
  await tx.$executeRaw`
    insert into delivery_exchanges (id, channel_id, request, response)
    select row.id, channel.id, row.exchange->'request', nullif(row.exchange->'response', 'null')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id text, "channelId" text, exchange jsonb)
    join (select id from channels where id = any(${rows.map(({ channelId }) => channelId)}::text[]) and team_id is not null order by id for key share)
      channel on channel.id = row."channelId"`;
}
