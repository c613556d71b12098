-- CreateTable
CREATE TABLE "confirmed_recipients" (
    "team_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "confirmed_recipients_pkey" PRIMARY KEY ("team_id","address")
);

-- CreateTable
CREATE TABLE "mail_quotas" (
    "key" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "sent" INTEGER NOT NULL,

    CONSTRAINT "mail_quotas_pkey" PRIMARY KEY ("key","day")
);

-- CreateIndex
CREATE INDEX "mail_quotas_day_idx" ON "mail_quotas"("day");

-- AddForeignKey
ALTER TABLE "confirmed_recipients" ADD CONSTRAINT "confirmed_recipients_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Addresses that got messages so far go on getting them.
INSERT INTO "confirmed_recipients" ("team_id", "address")
SELECT DISTINCT "team_id", lower("config"->>'to') FROM "channels" WHERE "type" = 'email' AND "config"->>'to' IS NOT NULL;

-- What was issued with a right that its issuer has lost is revoked from now on in the transaction that takes the right.
UPDATE "invitations" i SET "revoked_at" = now()
WHERE "used_at" IS NULL AND "revoked_at" IS NULL AND NOT EXISTS (
    SELECT 1 FROM "memberships" m
    WHERE m."team_id" = i."team_id" AND m."user_id" = i."created_by_id"
        AND (m."role" = 'owner' OR (m."role" = 'admin' AND i."role" <> 'owner'))
);
