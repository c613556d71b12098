-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "lease_until" TIMESTAMPTZ(3);
