-- AlterTable
ALTER TABLE "monitors" ADD COLUMN     "former_watch_ms" DOUBLE PRECISION,
ADD COLUMN     "watch_changed_at" TIMESTAMPTZ(3);
