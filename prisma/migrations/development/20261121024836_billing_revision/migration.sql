-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "billing_revision" INTEGER NOT NULL DEFAULT 0;
