-- CreateEnum
CREATE TYPE "delivery_hold" AS ENUM ('quiet_hours');

-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "all_monitors" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "min_severity" "incident_severity" NOT NULL DEFAULT 'minor',
ADD COLUMN     "muted_events" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "quiet_hours" JSONB,
ADD COLUMN     "reminder_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "hold" "delivery_hold";

-- CreateTable
CREATE TABLE "channel_routes" (
    "channel_id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,

    CONSTRAINT "channel_routes_pkey" PRIMARY KEY ("channel_id","monitor_id")
);

-- CreateIndex
CREATE INDEX "channel_routes_monitor_id_idx" ON "channel_routes"("monitor_id");

-- AddForeignKey
ALTER TABLE "channel_routes" ADD CONSTRAINT "channel_routes_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_routes" ADD CONSTRAINT "channel_routes_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE CASCADE;
