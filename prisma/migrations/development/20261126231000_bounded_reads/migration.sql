-- DropIndex
DROP INDEX "deliveries_incident_id_idx";

-- CreateIndex
CREATE INDEX "deliveries_incident_id_channel_id_status_seq_idx" ON "deliveries"("incident_id", "channel_id", "status", "seq");

-- Pages read the public updates of incidents; an incident may have thousands of internal ones.
CREATE INDEX "incident_updates_public_idx" ON "incident_updates" ("incident_id", "at" DESC, "id" DESC) WHERE "is_public" OR "kind" NOT IN ('note', 'changed');

-- A claim looks for the deliveries of a line that have a time. Those that wait behind the first have none, and may be thousands.
CREATE INDEX "deliveries_timed_idx" ON "deliveries" ("channel_id", "incident_id") WHERE "next_attempt_at" IS NOT NULL AND "incident_id" IS NOT NULL;
