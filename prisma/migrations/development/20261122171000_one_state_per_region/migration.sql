-- A monitor in one of its regions is a row of the same table as the monitor itself, whose region is ''.
ALTER TABLE "monitor_states" ADD COLUMN "region" TEXT NOT NULL DEFAULT '';
ALTER TABLE "monitor_states"
  DROP CONSTRAINT "monitor_states_pkey",
  ADD CONSTRAINT "monitor_states_pkey" PRIMARY KEY ("monitor_id", "region");

INSERT INTO "monitor_states" (
  "monitor_id", "region", "team_id", "due_at", "claimed_by", "claimed_until", "status", "status_since",
  "failures", "recoveries", "turned_at", "latency_streak", "latency_turned_at", "open_incident",
  "last_checked_at", "last_latency_ms", "last_error"
)
SELECT r."monitor_id", r."region", m."team_id", r."due_at", r."claimed_by", r."claimed_until", r."status", r."status_since",
  coalesce(c."failures", 0), coalesce(c."recoveries", 0), c."turnedAt",
  coalesce(c."latencyStreak", 0), c."latencyTurnedAt", c."openIncident",
  r."last_checked_at", r."last_latency_ms", r."last_error"
FROM "monitor_regions" r
JOIN "monitors" m ON m."id" = r."monitor_id"
CROSS JOIN LATERAL jsonb_to_record(r."counted") AS c(
  "failures" INTEGER, "recoveries" INTEGER, "turnedAt" TIMESTAMPTZ, "latencyStreak" INTEGER,
  "latencyTurnedAt" TIMESTAMPTZ, "openIncident" "incident_type"
);

DROP TABLE "monitor_regions";

-- Partial, because the region in the key would make each entry half as long again, and every check writes one.
DROP INDEX "monitor_states_due_at_idx";
DROP INDEX "monitor_states_not_up_idx";
CREATE INDEX "monitor_states_own_due_idx" ON "monitor_states" ("due_at") WHERE "region" = '';
CREATE INDEX "monitor_states_region_due_idx" ON "monitor_states" ("region", "due_at") WHERE "region" <> '';
CREATE INDEX "monitor_states_not_up_idx" ON "monitor_states" ("team_id", "status") WHERE "status" <> 'up' AND "region" = '';
