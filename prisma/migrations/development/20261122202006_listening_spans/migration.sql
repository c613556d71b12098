-- CreateTable
CREATE TABLE "listening_spans" (
    "id" BIGSERIAL NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "until_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "listening_spans_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "listening_spans_until_at_idx" ON "listening_spans"("until_at");
