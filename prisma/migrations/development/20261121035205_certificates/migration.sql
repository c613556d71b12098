-- AlterTable
ALTER TABLE "monitor_states" ADD COLUMN     "certificate" JSONB,
ADD COLUMN     "certificate_warned" BOOLEAN NOT NULL DEFAULT false;
