-- CreateEnum
CREATE TYPE "incident_severity" AS ENUM ('critical', 'warning', 'minor');

-- AlterEnum
ALTER TYPE "incident_update_kind" ADD VALUE 'changed';

-- AlterTable
ALTER TABLE "incidents" ADD COLUMN     "severity" "incident_severity" NOT NULL DEFAULT 'critical';

-- AlterTable
ALTER TABLE "monitors" ADD COLUMN     "severity" "incident_severity" NOT NULL DEFAULT 'critical';

-- Incidents of earlier versions get the severity that theirs would have now.
UPDATE "incidents" SET "severity" = CASE "type" WHEN 'degraded' THEN 'warning' ELSE 'minor' END::"incident_severity"
WHERE "type" IN ('degraded', 'certificate');
