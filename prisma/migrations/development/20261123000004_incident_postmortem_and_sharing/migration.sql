-- AlterEnum
ALTER TYPE "incident_update_kind" ADD VALUE 'reopened';

-- AlterTable
ALTER TABLE "incidents" ADD COLUMN     "reopenings" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "share_hash" TEXT;

-- CreateTable
CREATE TABLE "incident_postmortems" (
    "incident_id" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "incident_postmortems_pkey" PRIMARY KEY ("incident_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "incidents_share_hash_key" ON "incidents"("share_hash");

-- AddForeignKey
ALTER TABLE "incident_postmortems" ADD CONSTRAINT "incident_postmortems_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incidents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
