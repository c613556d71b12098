-- AlterTable
ALTER TABLE "workers" ADD COLUMN     "waits" JSONB NOT NULL DEFAULT '{}';
