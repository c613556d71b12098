-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN "seq" BIGSERIAL NOT NULL;

-- Numbers the deliveries of an incident to a channel in their former order: pending ones behind the one that each waited for, others by creation.
WITH RECURSIVE waiting (id, depth) AS (
  SELECT d."id", 0 FROM "deliveries" d
  WHERE d."status" = 'pending' AND (SELECT e."status" FROM "deliveries" e WHERE e."id" = d."after_id") IS DISTINCT FROM 'pending'
  UNION ALL
  SELECT d."id", waiting.depth + 1 FROM waiting JOIN "deliveries" d ON d."after_id" = waiting.id AND d."status" = 'pending'
), placed AS MATERIALIZED (
  SELECT d."id", d."channel_id", d."incident_id", d."seq",
    row_number() OVER (PARTITION BY d."channel_id", d."incident_id" ORDER BY d."seq") AS physical,
    row_number() OVER (PARTITION BY d."channel_id", d."incident_id" ORDER BY coalesce(waiting.depth, 0), d."created_at", d."id") AS logical
  FROM "deliveries" d LEFT JOIN waiting USING ("id") WHERE d."incident_id" IS NOT NULL
)
UPDATE "deliveries" d SET "seq" = place."seq"
FROM placed mine JOIN placed place
  ON place."channel_id" = mine."channel_id" AND place."incident_id" = mine."incident_id" AND place.physical = mine.logical
WHERE d."id" = mine."id" AND mine."seq" <> place."seq";

-- A delivery behind a pending one has no time of its own.
UPDATE "deliveries" d SET "next_attempt_at" = NULL
FROM "deliveries" earlier
WHERE d."status" = 'pending' AND earlier."id" = d."after_id" AND earlier."status" = 'pending';

-- The jobs of single deliveries and batches become one job per channel with pending deliveries. A new database has no job queue yet.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN
    RETURN;
  END IF;
  DELETE FROM graphile_worker._private_jobs job USING graphile_worker._private_tasks task
  WHERE task."id" = job."task_id" AND task."identifier" = 'deliver-message';
  PERFORM graphile_worker.add_job('deliver-message', json_build_object('channelId', "channel_id"))
  FROM (SELECT DISTINCT "channel_id" FROM "deliveries" WHERE "status" = 'pending') AS waiting;
END
$$;

-- DropForeignKey
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_after_id_fkey";

-- DropIndex
DROP INDEX "deliveries_after_id_idx";

-- AlterTable
ALTER TABLE "deliveries" DROP COLUMN "after_id";
