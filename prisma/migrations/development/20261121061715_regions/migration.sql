-- AlterTable
ALTER TABLE "monitors" ADD COLUMN     "regions" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "monitor_regions" (
    "monitor_id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "claimed_by" TEXT,
    "claimed_until" TIMESTAMPTZ(3),
    "status" "monitor_status" NOT NULL DEFAULT 'pending',
    "status_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "counted" JSONB NOT NULL DEFAULT '{}',
    "last_checked_at" TIMESTAMPTZ(3),
    "last_latency_ms" INTEGER,
    "last_error" TEXT,

    CONSTRAINT "monitor_regions_pkey" PRIMARY KEY ("monitor_id","region")
);

-- CreateTable
CREATE TABLE "workers" (
    "id" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "monitor_regions_region_due_at_idx" ON "monitor_regions"("region", "due_at");

-- AddForeignKey
ALTER TABLE "monitor_regions" ADD CONSTRAINT "monitor_regions_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE CASCADE;
