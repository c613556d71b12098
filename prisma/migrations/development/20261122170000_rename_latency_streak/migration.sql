-- Not null is dropped meanwhile, so that its constraint is named after the new column, where PostgreSQL names it.
ALTER TABLE "monitor_states" ALTER COLUMN "pace_checks" DROP NOT NULL;
ALTER TABLE "monitor_states" RENAME COLUMN "pace_checks" TO "latency_streak";
ALTER TABLE "monitor_states" ALTER COLUMN "latency_streak" SET NOT NULL;
ALTER TABLE "monitor_states" RENAME COLUMN "pace_turned_at" TO "latency_turned_at";

UPDATE "monitor_regions" SET "counted" = ("counted" - 'paceChecks' - 'paceTurnedAt') || jsonb_build_object(
  'latencyStreak', coalesce("counted" -> 'paceChecks', '0'), 'latencyTurnedAt', "counted" -> 'paceTurnedAt'
);
