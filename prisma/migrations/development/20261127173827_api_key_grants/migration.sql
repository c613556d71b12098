-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "grants" TEXT[] DEFAULT ARRAY[]::TEXT[];
