-- AlterTable
ALTER TABLE "incident_updates" ADD COLUMN     "is_public" BOOLEAN NOT NULL DEFAULT false;
