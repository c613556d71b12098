-- AlterTable
ALTER TABLE "monitor_states" ADD COLUMN     "changes" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
ADD COLUMN     "open_incident" "incident_type",
ADD COLUMN     "pace_checks" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "pace_turned_at" TIMESTAMPTZ(3),
ADD COLUMN     "steady_since" TIMESTAMPTZ(3);

-- What is open stays open.
UPDATE "monitor_states" SET "open_incident" = 'downtime' WHERE "incident_open";
UPDATE "incidents" SET "open_key" = "monitor_id" || ':status' WHERE "open_key" = "monitor_id" || ':downtime';

-- AlterTable
ALTER TABLE "monitor_states" DROP COLUMN "incident_open";
