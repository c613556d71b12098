-- AlterTable
ALTER TABLE "maintenance_windows" ADD COLUMN     "skipped_starts" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];
