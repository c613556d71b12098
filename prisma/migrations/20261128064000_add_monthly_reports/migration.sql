-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "monthly_report_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "monthly_reports" (
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "month" DATE NOT NULL,

    CONSTRAINT "monthly_reports_pkey" PRIMARY KEY ("team_id","user_id","month")
);

-- CreateIndex
CREATE INDEX "monthly_reports_month_idx" ON "monthly_reports"("month");

-- CreateIndex
CREATE INDEX "memberships_monthly_report_since_idx" ON "memberships"("monthly_report_since");

-- AddForeignKey
ALTER TABLE "monthly_reports" ADD CONSTRAINT "monthly_reports_team_id_user_id_fkey" FOREIGN KEY ("team_id", "user_id") REFERENCES "memberships"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
