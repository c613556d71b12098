-- CreateEnum
CREATE TYPE "escalation_status" AS ENUM ('running', 'stopped', 'finished');

-- CreateTable
CREATE TABLE "on_call_schedules" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "layers" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "on_call_schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "on_call_overrides" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "schedule_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "on_call_overrides_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "on_call_feeds" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "schedule_id" TEXT,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "on_call_feeds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "escalation_policies" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "steps" JSONB NOT NULL,
    "repeat" INTEGER NOT NULL DEFAULT 0,
    "all_monitors" BOOLEAN NOT NULL DEFAULT false,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "min_severity" "incident_severity" NOT NULL DEFAULT 'minor',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "escalation_policies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "escalation_policy_monitors" (
    "policy_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,

    CONSTRAINT "escalation_policy_monitors_pkey" PRIMARY KEY ("policy_id","monitor_id")
);

-- CreateTable
CREATE TABLE "escalations" (
    "incident_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "policy_id" TEXT NOT NULL,
    "policy_name" TEXT NOT NULL,
    "steps" JSONB NOT NULL,
    "status" "escalation_status" NOT NULL,
    "first_round" INTEGER NOT NULL DEFAULT 0,
    "round" INTEGER NOT NULL DEFAULT 0,
    "last_round" INTEGER NOT NULL,
    "step" INTEGER NOT NULL DEFAULT -1,
    "next_step_at" TIMESTAMPTZ(3) NOT NULL,
    "pending" JSONB NOT NULL DEFAULT '[]',
    "next_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "escalations_pkey" PRIMARY KEY ("incident_id")
);

-- CreateIndex
CREATE INDEX "on_call_schedules_team_id_id_idx" ON "on_call_schedules"("team_id", "id" DESC);

-- CreateIndex
CREATE INDEX "on_call_overrides_schedule_id_ends_at_idx" ON "on_call_overrides"("schedule_id", "ends_at");

-- CreateIndex
CREATE INDEX "on_call_overrides_team_id_user_id_idx" ON "on_call_overrides"("team_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "on_call_feeds_token_hash_key" ON "on_call_feeds"("token_hash");

-- CreateIndex
CREATE INDEX "on_call_feeds_team_id_user_id_idx" ON "on_call_feeds"("team_id", "user_id");

-- CreateIndex
CREATE INDEX "on_call_feeds_schedule_id_idx" ON "on_call_feeds"("schedule_id");

-- CreateIndex
CREATE INDEX "escalation_policies_team_id_id_idx" ON "escalation_policies"("team_id", "id" DESC);

-- CreateIndex
CREATE INDEX "escalation_policy_monitors_monitor_id_idx" ON "escalation_policy_monitors"("monitor_id");

-- CreateIndex
CREATE INDEX "escalations_policy_id_status_idx" ON "escalations"("policy_id", "status");

-- CreateIndex
CREATE INDEX "escalations_next_at_idx" ON "escalations"("next_at");

-- AddForeignKey
ALTER TABLE "on_call_schedules" ADD CONSTRAINT "on_call_schedules_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "on_call_overrides" ADD CONSTRAINT "on_call_overrides_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "on_call_schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "on_call_overrides" ADD CONSTRAINT "on_call_overrides_team_id_user_id_fkey" FOREIGN KEY ("team_id", "user_id") REFERENCES "memberships"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "on_call_feeds" ADD CONSTRAINT "on_call_feeds_team_id_user_id_fkey" FOREIGN KEY ("team_id", "user_id") REFERENCES "memberships"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "on_call_feeds" ADD CONSTRAINT "on_call_feeds_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "on_call_schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "escalation_policies" ADD CONSTRAINT "escalation_policies_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "escalation_policy_monitors" ADD CONSTRAINT "escalation_policy_monitors_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "escalation_policies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "escalation_policy_monitors" ADD CONSTRAINT "escalation_policy_monitors_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "escalations" ADD CONSTRAINT "escalations_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incidents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
