-- DropForeignKey
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_team_id_fkey";

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "session_version" INTEGER NOT NULL,
ALTER COLUMN "team_id" DROP NOT NULL;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE SET NULL ON UPDATE CASCADE;
