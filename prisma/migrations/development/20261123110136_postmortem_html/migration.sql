-- AlterTable
ALTER TABLE "incident_postmortems" ADD COLUMN     "html" TEXT,
ADD COLUMN     "html_version" INTEGER NOT NULL DEFAULT 0;
