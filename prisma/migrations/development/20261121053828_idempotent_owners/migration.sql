-- AlterTable
ALTER TABLE "idempotent_requests" ADD COLUMN     "team_id" TEXT,
ADD COLUMN     "user_id" TEXT;
