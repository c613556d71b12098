-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "opening" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "acknowledge_groups" (
    "id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "incident_ids" TEXT[],
    "openings" INTEGER[],
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "acknowledge_groups_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "acknowledge_groups_channel_id_idx" ON "acknowledge_groups"("channel_id");

-- CreateIndex
CREATE INDEX "acknowledge_groups_sent_at_idx" ON "acknowledge_groups"("sent_at");

-- AddForeignKey
ALTER TABLE "acknowledge_groups" ADD CONSTRAINT "acknowledge_groups_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;
