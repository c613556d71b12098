-- AlterTable
ALTER TABLE "idempotent_requests" ADD COLUMN     "claim_token" TEXT NOT NULL DEFAULT '';
