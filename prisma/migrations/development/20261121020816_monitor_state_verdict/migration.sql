-- AlterTable
ALTER TABLE "monitor_states" DROP COLUMN "first_failed_at",
ADD COLUMN     "incident_open" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "turned_at" TIMESTAMPTZ(3);
