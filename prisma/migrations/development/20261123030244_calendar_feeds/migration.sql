-- CreateEnum
CREATE TYPE "calendar_feed_kind" AS ENUM ('on_call', 'maintenance');

-- CreateTable
CREATE TABLE "calendar_feeds" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" "calendar_feed_kind" NOT NULL,
    "schedule_id" TEXT,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "calendar_feeds_pkey" PRIMARY KEY ("id")
);

-- The feeds of shifts keep their addresses.
INSERT INTO "calendar_feeds" ("id", "team_id", "user_id", "kind", "schedule_id", "token_hash", "created_at")
SELECT "id", "team_id", "user_id", 'on_call', "schedule_id", "token_hash", "created_at" FROM "on_call_feeds";

-- DropTable
DROP TABLE "on_call_feeds";

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feeds_token_hash_key" ON "calendar_feeds"("token_hash");

-- CreateIndex
CREATE INDEX "calendar_feeds_team_id_user_id_idx" ON "calendar_feeds"("team_id", "user_id");

-- CreateIndex
CREATE INDEX "calendar_feeds_schedule_id_idx" ON "calendar_feeds"("schedule_id");

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_team_id_user_id_fkey" FOREIGN KEY ("team_id", "user_id") REFERENCES "memberships"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "on_call_schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE;
