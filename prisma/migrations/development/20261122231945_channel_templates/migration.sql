-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "templates" JSONB NOT NULL DEFAULT '[]';
