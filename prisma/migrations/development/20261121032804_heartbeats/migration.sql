-- AlterEnum
ALTER TYPE "monitor_type" ADD VALUE 'heartbeat';

-- AlterTable
ALTER TABLE "monitor_states" ADD COLUMN     "expected_since" TIMESTAMPTZ(3),
ADD COLUMN     "run_started_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "heartbeat_bodies" (
    "monitor_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "signal" TEXT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "heartbeat_bodies_pkey" PRIMARY KEY ("monitor_id")
);

-- AddForeignKey
ALTER TABLE "heartbeat_bodies" ADD CONSTRAINT "heartbeat_bodies_monitor_id_fkey" FOREIGN KEY ("monitor_id") REFERENCES "monitors"("id") ON DELETE CASCADE ON UPDATE CASCADE;
