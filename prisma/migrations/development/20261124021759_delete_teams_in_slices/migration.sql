-- AlterTable
ALTER TABLE "deleted_monitors" ADD COLUMN     "monitor_id" TEXT;

-- CreateTable
CREATE TABLE "deleted_teams" (
    "id" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_teams_pkey" PRIMARY KEY ("id")
);

-- What grows with time refers to no team, monitor or component: deleting one would delete or change all of its rows at once. Triggers note what was
-- deleted, whoever deletes it, and a job removes the rows in slices.
ALTER TABLE "incidents" DROP CONSTRAINT "incidents_team_id_fkey";
ALTER TABLE "incidents" DROP CONSTRAINT "incidents_monitor_id_fkey";
ALTER TABLE "incident_monitors" DROP CONSTRAINT "incident_monitors_monitor_id_fkey";
ALTER TABLE "incident_components" DROP CONSTRAINT "incident_components_component_id_fkey";
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_team_id_fkey";
ALTER TABLE "status_spans" DROP CONSTRAINT "status_spans_monitor_num_fkey";
ALTER TABLE "maintenance_periods" DROP CONSTRAINT "maintenance_periods_monitor_num_fkey";

CREATE FUNCTION "forget_teams"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_teams (id) SELECT id FROM gone;
    RETURN NULL;
END
$$;
CREATE TRIGGER "forget_teams" AFTER DELETE ON "teams"
    REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "forget_teams"();

CREATE OR REPLACE FUNCTION "forget_monitors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_monitors (num, monitor_id) SELECT num, id FROM gone;
    DELETE FROM stale_roll_ups WHERE monitor_num IN (SELECT num FROM gone);
    RETURN NULL;
END
$$;
