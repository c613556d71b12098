-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "weekly_summary_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "weekly_summaries" (
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "week" DATE NOT NULL,

    CONSTRAINT "weekly_summaries_pkey" PRIMARY KEY ("team_id","user_id","week")
);

-- CreateIndex
CREATE INDEX "weekly_summaries_week_idx" ON "weekly_summaries"("week");

-- CreateIndex
CREATE INDEX "memberships_weekly_summary_since_idx" ON "memberships"("weekly_summary_since");

-- AddForeignKey
ALTER TABLE "weekly_summaries" ADD CONSTRAINT "weekly_summaries_team_id_user_id_fkey" FOREIGN KEY ("team_id", "user_id") REFERENCES "memberships"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
