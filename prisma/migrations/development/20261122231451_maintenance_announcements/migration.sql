-- AlterTable
ALTER TABLE "maintenance_windows" ADD COLUMN     "announced" JSONB,
ADD COLUMN     "changed_ends" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
ADD COLUMN     "changed_starts" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
ADD COLUMN     "notifies_channels" BOOLEAN NOT NULL DEFAULT false;
