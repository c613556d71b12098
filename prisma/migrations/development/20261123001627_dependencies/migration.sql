-- AlterTable
ALTER TABLE "incidents" ADD COLUMN     "held_until" TIMESTAMPTZ(3),
ADD COLUMN     "parent_incident_id" TEXT;

-- AlterTable
ALTER TABLE "monitors" ADD COLUMN     "parent_id" TEXT;

-- CreateIndex
CREATE INDEX "incidents_parent_incident_id_idx" ON "incidents"("parent_incident_id");

-- CreateIndex
CREATE INDEX "monitors_parent_id_idx" ON "monitors"("parent_id");

-- AddForeignKey
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_parent_incident_id_fkey" FOREIGN KEY ("parent_incident_id") REFERENCES "incidents"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "monitors" ADD CONSTRAINT "monitors_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "monitors"("id") ON DELETE SET NULL ON UPDATE CASCADE;
