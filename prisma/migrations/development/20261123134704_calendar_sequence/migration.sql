-- AlterTable
ALTER TABLE "maintenance_windows" ADD COLUMN     "sequence" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "on_call_schedules" ADD COLUMN     "sequence" INTEGER NOT NULL DEFAULT 0;

-- Calendars must never see a lower number: until now it was the whole seconds from the creation to the last change.
UPDATE "maintenance_windows" SET "sequence" = greatest(0, floor(extract(epoch FROM "updated_at" - "created_at")))::int;
UPDATE "on_call_schedules" SET "sequence" = greatest(0, floor(extract(epoch FROM "updated_at" - "created_at")))::int;
