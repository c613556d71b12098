-- AlterTable
ALTER TABLE "monitor_states" ADD COLUMN     "noise_until" TIMESTAMPTZ(3);
