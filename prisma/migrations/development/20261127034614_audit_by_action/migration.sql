-- CreateIndex
CREATE INDEX "audit_entries_team_id_action_id_idx" ON "audit_entries"("team_id", "action", "id" DESC);
