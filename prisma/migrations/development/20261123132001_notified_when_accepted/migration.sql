-- AlterTable
ALTER TABLE "incident_updates" ADD COLUMN     "dedupe_key" TEXT;

-- AlterTable
ALTER TABLE "escalations" ADD COLUMN     "owners_told_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "incident_updates_incident_id_dedupe_key_key" ON "incident_updates"("incident_id", "dedupe_key");
