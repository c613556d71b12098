-- CreateTable
CREATE TABLE "live_watchers" (
    "team_id" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "live_watchers_pkey" PRIMARY KEY ("team_id")
);

-- CreateTable
CREATE TABLE "instance_samples" (
    "id" INTEGER NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,
    "figures" JSONB NOT NULL,

    CONSTRAINT "instance_samples_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "live_watchers" ADD CONSTRAINT "live_watchers_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Only the metrics read it, for failed messages, which are a counter of each process now.
DROP INDEX "deliveries_not_delivered_idx";
