-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "delivered_at" TIMESTAMPTZ(3),
ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "failed_messages" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "last_error" TEXT,
ADD COLUMN     "retry_after" TIMESTAMPTZ(3);

-- Channels that delivered before do not count as untested.
UPDATE "channels" c SET "delivered_at" = (
  SELECT max(d."created_at") FROM "deliveries" d WHERE d."channel_id" = c."id" AND d."status" = 'delivered'
);
