-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "delay_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "owner_id" TEXT,
ADD COLUMN     "position" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "channels_team_id_owner_id_idx" ON "channels"("team_id", "owner_id");

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_team_id_owner_id_fkey" FOREIGN KEY ("team_id", "owner_id") REFERENCES "memberships"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
