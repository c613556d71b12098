-- CreateIndex
CREATE INDEX "deliveries_incident_id_id_idx" ON "deliveries"("incident_id", "id" DESC);
