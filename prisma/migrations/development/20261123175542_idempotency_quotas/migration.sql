-- CreateTable
CREATE TABLE "idempotency_quotas" (
    "key" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "responses" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "idempotency_quotas_pkey" PRIMARY KEY ("key","day")
);

-- CreateIndex
CREATE INDEX "idempotency_quotas_day_idx" ON "idempotency_quotas"("day");
