-- AlterTable
ALTER TABLE "monitor_states" ADD COLUMN     "rapid_until" TIMESTAMPTZ(3);
