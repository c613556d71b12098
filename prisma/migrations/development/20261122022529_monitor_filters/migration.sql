-- CreateIndex
CREATE INDEX "monitors_team_id_type_id_idx" ON "monitors"("team_id", "type", "id" DESC);

-- CreateIndex
CREATE INDEX "monitors_tags_idx" ON "monitors" USING GIN ("tags");
