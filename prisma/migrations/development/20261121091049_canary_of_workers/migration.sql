-- AlterTable
ALTER TABLE "workers" ADD COLUMN     "canary_at" TIMESTAMPTZ(3),
ADD COLUMN     "lost_at" TIMESTAMPTZ(3);
