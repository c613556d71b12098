-- CreateEnum
CREATE TYPE "evidence_kind" AS ENUM ('opened', 'resolved');

-- CreateTable
CREATE TABLE "incident_evidence" (
    "id" TEXT NOT NULL,
    "incident_id" TEXT NOT NULL,
    "kind" "evidence_kind" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "stored_at" TIMESTAMPTZ(3),

    CONSTRAINT "incident_evidence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "check_attempts" (
    "id" TEXT NOT NULL,
    "monitor_id" TEXT NOT NULL,
    "row" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" "monitor_status" NOT NULL,
    "content" BYTEA NOT NULL,
    "evidence_id" TEXT,

    CONSTRAINT "check_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "incident_evidence_incident_id_idx" ON "incident_evidence"("incident_id");

-- CreateIndex
CREATE INDEX "incident_evidence_stored_at_idx" ON "incident_evidence"("stored_at");

-- CreateIndex
CREATE INDEX "check_attempts_monitor_id_idx" ON "check_attempts"("monitor_id");

-- CreateIndex
CREATE INDEX "check_attempts_evidence_id_idx" ON "check_attempts"("evidence_id");

-- AddForeignKey
ALTER TABLE "incident_evidence" ADD CONSTRAINT "incident_evidence_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incidents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_attempts" ADD CONSTRAINT "check_attempts_evidence_id_fkey" FOREIGN KEY ("evidence_id") REFERENCES "incident_evidence"("id") ON DELETE CASCADE ON UPDATE CASCADE;
