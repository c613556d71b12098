-- CreateTable
CREATE TABLE "check_hours" (
    "monitor_num" INTEGER NOT NULL,
    "hour" INTEGER NOT NULL,
    "checks" INTEGER NOT NULL,
    "latencies" BYTEA NOT NULL,
    "up_ms" INTEGER,
    "degraded_ms" INTEGER,
    "down_ms" INTEGER,
    "unknown_ms" INTEGER,
    "maintenance_ms" INTEGER,
    "paused_ms" INTEGER,
    "pending_ms" INTEGER,
    "excluded_ms" INTEGER,

    CONSTRAINT "check_hours_pkey" PRIMARY KEY ("monitor_num","hour")
);

-- CreateTable
CREATE TABLE "check_days" (
    "monitor_num" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "checks" INTEGER NOT NULL,
    "latencies" BYTEA NOT NULL,
    "up_ms" INTEGER,
    "degraded_ms" INTEGER,
    "down_ms" INTEGER,
    "unknown_ms" INTEGER,
    "maintenance_ms" INTEGER,
    "paused_ms" INTEGER,
    "pending_ms" INTEGER,
    "excluded_ms" INTEGER,

    CONSTRAINT "check_days_pkey" PRIMARY KEY ("monitor_num","day")
);

-- CreateTable
CREATE TABLE "roll_up_mark" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "hour" INTEGER NOT NULL,

    CONSTRAINT "roll_up_mark_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stale_roll_ups" (
    "monitor_num" INTEGER NOT NULL,
    "hour" INTEGER NOT NULL,
    "changes" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "stale_roll_ups_pkey" PRIMARY KEY ("monitor_num")
);

-- CreateTable
CREATE TABLE "uptime_exclusions" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uptime_exclusions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "uptime_exclusions_monitor_id_starts_at_idx" ON "uptime_exclusions"("monitor_id", "starts_at");

-- CreateIndex
CREATE INDEX "uptime_exclusions_team_id_idx" ON "uptime_exclusions"("team_id");

-- AddForeignKey
ALTER TABLE "uptime_exclusions" ADD CONSTRAINT "uptime_exclusions_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uptime_exclusions" ADD CONSTRAINT "uptime_exclusions_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What belongs to a monitor by its number goes with it, whoever deletes it.
CREATE OR REPLACE FUNCTION "forget_monitors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM checks WHERE monitor_num IN (SELECT num FROM gone);
    DELETE FROM check_hours WHERE monitor_num IN (SELECT num FROM gone);
    DELETE FROM check_days WHERE monitor_num IN (SELECT num FROM gone);
    DELETE FROM stale_roll_ups WHERE monitor_num IN (SELECT num FROM gone);
    RETURN NULL;
END
$$;
