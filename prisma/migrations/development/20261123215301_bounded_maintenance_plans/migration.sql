-- AlterTable
ALTER TABLE "maintenance_windows" ADD COLUMN     "plan_retry_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "monitor_states" ADD COLUMN     "planned_until" TIMESTAMPTZ(3);

-- States get their bounded edges when they are planned next, before they are checked.
UPDATE "monitor_states" s SET "planned_until" = now()
WHERE "maintenance" <> '{}' OR EXISTS (SELECT 1 FROM "maintenance_windows" w WHERE w."team_id" = s."team_id" AND w."recurrence" IS NOT NULL);

-- Finds what is to be planned.
CREATE INDEX "monitor_states_planned_until_idx" ON "monitor_states" ("planned_until") WHERE "planned_until" IS NOT NULL;
