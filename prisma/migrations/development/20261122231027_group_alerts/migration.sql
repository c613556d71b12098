-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "max_per_minute" INTEGER NOT NULL DEFAULT 5,
ADD COLUMN     "recent_sends" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
ADD COLUMN     "sending_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "group_seconds" INTEGER NOT NULL DEFAULT 15;

-- A sender asks for what waits for its channel; most of a channel's deliveries are delivered.
CREATE INDEX "deliveries_waiting_idx" ON "deliveries" ("channel_id", "next_attempt_at") WHERE "status" = 'pending';
