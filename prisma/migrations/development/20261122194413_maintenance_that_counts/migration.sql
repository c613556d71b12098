-- CreateEnum
CREATE TYPE "maintenance_checks" AS ENUM ('continue', 'pause');

-- AlterTable
ALTER TABLE "maintenance_windows" ADD COLUMN     "announce_hours" INTEGER,
ADD COLUMN     "checks" "maintenance_checks" NOT NULL DEFAULT 'continue',
ADD COLUMN     "is_announced" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "planned_until" TIMESTAMPTZ(3),
ADD COLUMN     "recurrence" TEXT,
ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "timezone" TEXT NOT NULL DEFAULT 'UTC';

-- AlterTable
ALTER TABLE "monitor_states" ADD COLUMN     "check_pauses" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
ADD COLUMN     "held" JSONB,
ADD COLUMN     "maintenance" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];

-- CreateTable
CREATE TABLE "maintenance_periods" (
    "monitor_num" INTEGER NOT NULL,
    "window_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "checks" "maintenance_checks" NOT NULL,

    CONSTRAINT "maintenance_periods_pkey" PRIMARY KEY ("monitor_num","window_id","starts_at")
);

-- CreateIndex
CREATE INDEX "maintenance_periods_window_id_starts_at_idx" ON "maintenance_periods"("window_id", "starts_at");

-- AddForeignKey
ALTER TABLE "maintenance_periods" ADD CONSTRAINT "maintenance_periods_monitor_num_fkey" FOREIGN KEY ("monitor_num") REFERENCES "monitors"("num") ON DELETE CASCADE ON UPDATE CASCADE;

-- A list shows what is in maintenance as such: its rows are found here too.
DROP INDEX "monitor_states_not_up_idx";
CREATE INDEX "monitor_states_not_up_idx" ON "monitor_states" ("team_id", "status")
  WHERE ("status" <> 'up' OR "maintenance" <> '{}') AND "region" = '';

-- Windows that were made before they had an effect count from now on: what was told then is not taken back.
INSERT INTO "maintenance_periods" ("monitor_num", "window_id", "starts_at", "ends_at", "checks")
SELECT m."num", w."id", greatest(w."starts_at", now()), w."ends_at", 'continue'
FROM "maintenance_windows" w JOIN "monitors" m ON m."team_id" = w."team_id"
WHERE w."ends_at" > now() AND (w."all_monitors" OR EXISTS (
  SELECT 1 FROM "maintenance_window_monitors" n WHERE n."maintenance_window_id" = w."id" AND n."monitor_id" = m."id"
));

UPDATE "monitor_states" s SET "maintenance" = p."edges"
FROM (
  SELECT "id", array_agg("edge" ORDER BY "edge") AS "edges" FROM (
    SELECT m."id", unnest(range_agg(tstzrange(p."starts_at", p."ends_at"))) AS "range"
    FROM "maintenance_periods" p JOIN "monitors" m ON m."num" = p."monitor_num" GROUP BY m."id"
  ) r, unnest(ARRAY[lower(r."range"), upper(r."range")]) AS "edge" GROUP BY "id"
) p WHERE s."monitor_id" = p."id";
