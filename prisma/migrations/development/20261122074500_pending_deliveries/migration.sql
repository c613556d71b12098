-- Which messages of a team wait is asked for every new one; most of a team's deliveries are delivered.
CREATE INDEX "deliveries_pending_idx" ON "deliveries" ("team_id", "next_attempt_at") WHERE "status" = 'pending';
