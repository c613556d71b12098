-- AlterTable
ALTER TABLE "maintenance_windows" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "on_call_schedules" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "escalation_policies" ADD COLUMN     "external_id" TEXT;

-- AlterTable
ALTER TABLE "status_pages" ADD COLUMN     "external_id" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "maintenance_windows_team_id_external_id_key" ON "maintenance_windows"("team_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "channels_team_id_external_id_key" ON "channels"("team_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "on_call_schedules_team_id_external_id_key" ON "on_call_schedules"("team_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "escalation_policies_team_id_external_id_key" ON "escalation_policies"("team_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "status_pages_team_id_external_id_key" ON "status_pages"("team_id", "external_id");
