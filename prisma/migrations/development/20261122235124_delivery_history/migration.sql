-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "previous_secret" JSONB,
ADD COLUMN     "previous_secret_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "replayed_at" TIMESTAMPTZ(3),
ADD COLUMN     "replayed_by" TEXT;

-- AlterTable
ALTER TABLE "delivery_attempts" ADD COLUMN     "exchange_id" TEXT;

-- CreateTable
CREATE TABLE "delivery_exchanges" (
    "id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "request" JSONB NOT NULL,
    "response" JSONB,

    CONSTRAINT "delivery_exchanges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "delivery_exchanges_channel_id_idx" ON "delivery_exchanges"("channel_id");

-- CreateIndex
CREATE INDEX "delivery_exchanges_at_idx" ON "delivery_exchanges"("at");

-- AddForeignKey
ALTER TABLE "delivery_exchanges" ADD CONSTRAINT "delivery_exchanges_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;
