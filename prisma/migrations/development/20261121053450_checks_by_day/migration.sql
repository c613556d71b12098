-- Raw results by day (UTC), so that old days are dropped whole. What is there moves into its days.
CREATE TEMPORARY TABLE "moved_checks" AS TABLE "checks";
DROP TABLE "checks";

CREATE TABLE "checks" (
    "monitor_num" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "region" TEXT NOT NULL,
    "status" "monitor_status" NOT NULL,
    "latency_ms" INTEGER,
    "dns_ms" INTEGER,
    "connect_ms" INTEGER,
    "tls_ms" INTEGER,
    "first_byte_ms" INTEGER,
    "download_ms" INTEGER,
    "status_code" INTEGER,
    "error" TEXT,

    CONSTRAINT "checks_pkey" PRIMARY KEY ("monitor_num","at","region")
) PARTITION BY RANGE ("at");

-- Makes the partition of a day (UTC) where it is missing. Attaching, unlike creating in place, holds up no insert.
CREATE FUNCTION "make_check_day"("day" DATE) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    part CONSTANT text := 'checks_' || to_char(day, 'YYYYMMDD');
BEGIN
    PERFORM pg_advisory_xact_lock(823471107);
    IF EXISTS (SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'checks'::regclass AND c.relname = part) THEN
        RETURN;
    END IF;
    -- One that was detached and not dropped yet is of a day that is given up.
    EXECUTE format('DROP TABLE IF EXISTS %I', part);
    EXECUTE format('CREATE TABLE %I (LIKE checks INCLUDING ALL)', part);
    EXECUTE format('ALTER TABLE checks ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        part, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
END
$$;

SELECT "make_check_day"("day") FROM (
    SELECT ("at" AT TIME ZONE 'UTC')::date AS "day" FROM "moved_checks"
    UNION SELECT (now() AT TIME ZONE 'UTC')::date + generate_series(0, 7)
) "days";

INSERT INTO "checks" SELECT * FROM "moved_checks";
DROP TABLE "moved_checks";

-- What belongs to a monitor by its number goes with it, whoever deletes it.
CREATE FUNCTION "forget_monitors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM checks WHERE monitor_num IN (SELECT num FROM gone);
    RETURN NULL;
END
$$;

CREATE TRIGGER "forget_monitors" AFTER DELETE ON "monitors"
    REFERENCING OLD TABLE AS "gone" FOR EACH STATEMENT EXECUTE FUNCTION "forget_monitors"();
