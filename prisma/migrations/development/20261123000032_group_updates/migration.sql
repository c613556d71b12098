-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "last_message" JSONB;
