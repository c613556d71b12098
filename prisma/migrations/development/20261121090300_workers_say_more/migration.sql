-- AlterTable
ALTER TABLE "workers" ADD COLUMN     "checks_per_minute" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "lateness" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
ADD COLUMN     "lateness_ms" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "lateness_p99_ms" DOUBLE PRECISION,
ADD COLUMN     "version" TEXT NOT NULL DEFAULT '';

-- Few are not delivered, and they alone are counted, again and again.
CREATE INDEX "deliveries_not_delivered_idx" ON "deliveries" ("status", "created_at") WHERE "status" <> 'delivered';
