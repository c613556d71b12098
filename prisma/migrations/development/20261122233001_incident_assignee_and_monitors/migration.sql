-- AlterTable
ALTER TABLE "incidents" ADD COLUMN     "assignee_id" TEXT;

-- CreateTable
CREATE TABLE "incident_monitors" (
    "incident_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,

    CONSTRAINT "incident_monitors_pkey" PRIMARY KEY ("incident_id","monitor_id")
);

-- CreateIndex
CREATE INDEX "incident_monitors_monitor_id_idx" ON "incident_monitors"("monitor_id");

-- CreateIndex
CREATE INDEX "incidents_team_id_status_started_at_id_idx" ON "incidents"("team_id", "status", "started_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "incidents_assignee_id_idx" ON "incidents"("assignee_id");

-- AddForeignKey
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "incident_monitors" ADD CONSTRAINT "incident_monitors_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incidents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "incident_monitors" ADD CONSTRAINT "incident_monitors_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE CASCADE;
