-- An update writes what lies between the first and the last byte that changes to the log. What every check changes
-- stands together at the end of the row, so that this is little: a claim first, then what a result changes.
ALTER TABLE "monitor_states"
  RENAME COLUMN "claimed_by" TO "old_claimed_by";
ALTER TABLE "monitor_states"
  RENAME COLUMN "claimed_until" TO "old_claimed_until";
ALTER TABLE "monitor_states"
  RENAME COLUMN "due_at" TO "old_due_at";
ALTER TABLE "monitor_states"
  RENAME COLUMN "last_checked_at" TO "old_last_checked_at";
ALTER TABLE "monitor_states"
  RENAME COLUMN "revision" TO "old_revision";
ALTER TABLE "monitor_states"
  RENAME COLUMN "last_latency_ms" TO "old_last_latency_ms";

ALTER TABLE "monitor_states"
  ADD COLUMN "claimed_by" TEXT,
  ADD COLUMN "claimed_until" TIMESTAMPTZ(3),
  ADD COLUMN "due_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_checked_at" TIMESTAMPTZ(3),
  ADD COLUMN "revision" INTEGER DEFAULT 0,
  ADD COLUMN "last_latency_ms" INTEGER;

-- Room on each page, so that a row's next version finds it there: only then is the difference alone written.
ALTER TABLE "monitor_states" SET (fillfactor = 40);

UPDATE "monitor_states" SET
  "claimed_by" = "old_claimed_by",
  "claimed_until" = "old_claimed_until",
  "due_at" = "old_due_at",
  "last_checked_at" = "old_last_checked_at",
  "revision" = "old_revision",
  "last_latency_ms" = "old_last_latency_ms";

DROP INDEX "monitor_states_due_at_idx";

ALTER TABLE "monitor_states"
  DROP COLUMN "old_claimed_by",
  DROP COLUMN "old_claimed_until",
  DROP COLUMN "old_due_at",
  DROP COLUMN "old_last_checked_at",
  DROP COLUMN "old_revision",
  DROP COLUMN "old_last_latency_ms";

-- Now that the old column has left the name of its constraint.
ALTER TABLE "monitor_states" ALTER COLUMN "revision" SET NOT NULL;

CREATE INDEX "monitor_states_due_at_idx" ON "monitor_states" ("due_at");
