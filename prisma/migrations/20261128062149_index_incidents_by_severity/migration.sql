-- CreateIndex
CREATE INDEX "incidents_team_id_status_severity_started_at_id_idx" ON "incidents"("team_id", "status", "severity", "started_at" DESC, "id" DESC);
