-- AlterTable
ALTER TABLE "workers" ADD COLUMN     "process" JSONB NOT NULL DEFAULT '{}';
