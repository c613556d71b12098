-- AlterTable
ALTER TABLE "kept_mail" ADD COLUMN     "team_id" TEXT;

-- CreateIndex
CREATE INDEX "kept_mail_team_id_idx" ON "kept_mail"("team_id");

-- AddForeignKey
ALTER TABLE "kept_mail" ADD CONSTRAINT "kept_mail_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;
