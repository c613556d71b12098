-- DropIndex
DROP INDEX "monitor_states_team_id_status_idx";

-- Few are not up; those that are change nothing here when they are checked.
CREATE INDEX "monitor_states_not_up_idx" ON "monitor_states" ("team_id", "status") WHERE "status" <> 'up';
