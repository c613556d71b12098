-- CreateEnum
CREATE TYPE "deleted_kind" AS ENUM ('component', 'member', 'session');

-- DropIndex
DROP INDEX "incidents_assignee_id_idx";

-- DropIndex
DROP INDEX "incident_monitors_monitor_id_idx";

-- DropIndex
DROP INDEX "incident_components_component_id_idx";

-- CreateTable
CREATE TABLE "deleted_objects" (
    "kind" "deleted_kind" NOT NULL,
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL DEFAULT '',
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_objects_pkey" PRIMARY KEY ("kind","id","team_id")
);

-- CreateIndex
CREATE INDEX "deleted_objects_deleted_at_idx" ON "deleted_objects"("deleted_at");

-- CreateIndex
CREATE INDEX "incidents_team_id_assignee_id_started_at_idx" ON "incidents"("team_id", "assignee_id", "started_at" DESC);

-- CreateIndex
CREATE INDEX "incident_monitors_monitor_id_incident_id_idx" ON "incident_monitors"("monitor_id", "incident_id");

-- CreateIndex
CREATE INDEX "incident_components_component_id_incident_id_idx" ON "incident_components"("component_id", "incident_id");

-- CreateIndex
CREATE INDEX "idempotent_requests_team_id_idx" ON "idempotent_requests"("team_id");

-- CreateIndex
CREATE INDEX "idempotent_requests_user_id_idx" ON "idempotent_requests"("user_id");

-- There may be any number of incidents of a member, incidents that name a component, and tokens of a session: deleting one of these would change or delete
-- them all at once. Triggers note what was deleted, whoever deletes it, and a job takes it from the rows in slices.
ALTER TABLE "incidents" DROP CONSTRAINT "incidents_assignee_id_fkey";
ALTER TABLE "refresh_tokens" DROP CONSTRAINT "refresh_tokens_session_id_fkey";

-- Arguments: the kind, the column of the ID, and that of the team where it belongs to the key.
CREATE FUNCTION "forget_objects"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_objects (kind, id, team_id)
    SELECT TG_ARGV[0]::deleted_kind, to_jsonb(gone) ->> TG_ARGV[1], coalesce(to_jsonb(gone) ->> TG_ARGV[2], '') FROM gone
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER "forget_components" AFTER DELETE ON "status_page_components"
    REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "forget_objects"('component', 'id');
CREATE TRIGGER "forget_members" AFTER DELETE ON "memberships"
    REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "forget_objects"('member', 'user_id', 'team_id');
CREATE TRIGGER "forget_sessions" AFTER DELETE ON "sessions"
    REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "forget_objects"('session', 'id');
