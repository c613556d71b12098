-- CreateIndex
CREATE INDEX "monitors_team_id_id_idx" ON "monitors"("team_id", "id" DESC);
