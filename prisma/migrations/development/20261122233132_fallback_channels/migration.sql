-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "fallback_channel_id" TEXT,
ADD COLUMN     "owners_told_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "forwarded_from_id" TEXT;

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "fallback_channel_id" TEXT;

-- CreateIndex
CREATE INDEX "channels_fallback_channel_id_idx" ON "channels"("fallback_channel_id");

-- CreateIndex
CREATE INDEX "deliveries_forwarded_from_id_idx" ON "deliveries"("forwarded_from_id");

-- CreateIndex
CREATE INDEX "teams_fallback_channel_id_idx" ON "teams"("fallback_channel_id");

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_fallback_channel_id_fkey" FOREIGN KEY ("fallback_channel_id") REFERENCES "channels"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_forwarded_from_id_fkey" FOREIGN KEY ("forwarded_from_id") REFERENCES "deliveries"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "teams" ADD CONSTRAINT "teams_fallback_channel_id_fkey" FOREIGN KEY ("fallback_channel_id") REFERENCES "channels"("id") ON DELETE SET NULL ON UPDATE CASCADE;
