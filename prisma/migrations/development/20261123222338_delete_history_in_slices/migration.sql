-- AlterTable
ALTER TABLE "channels" ALTER COLUMN "team_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "deleted_monitors" (
    "num" INTEGER NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_monitors_pkey" PRIMARY KEY ("num")
);

-- What belongs to a monitor by its number goes with it, whoever deletes it: a job removes it in slices.
CREATE OR REPLACE FUNCTION "forget_monitors"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_monitors (num) SELECT num FROM gone;
    DELETE FROM stale_roll_ups WHERE monitor_num IN (SELECT num FROM gone);
    RETURN NULL;
END
$$;
