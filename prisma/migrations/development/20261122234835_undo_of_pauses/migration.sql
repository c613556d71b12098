-- AlterTable
ALTER TABLE "monitor_states" ADD COLUMN     "before_pause" JSONB;
