-- CreateTable
CREATE TABLE "app_secret" (
    "id" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_secret_pkey" PRIMARY KEY ("id")
);

-- A database that holds secrets already names its APP_SECRET by itself: the key id in most of them.
INSERT INTO "app_secret" ("id", "fingerprint")
SELECT 1, key_id
FROM (
  SELECT (regexp_matches(config::text, '"sealed": "v1\.([\w-]+)\.', 'g'))[1] AS key_id FROM "channels"
  UNION ALL
  SELECT (regexp_matches(config::text, '"sealed": "v1\.([\w-]+)\.', 'g'))[1] FROM "monitors"
  UNION ALL
  SELECT split_part(ping_token, '.', 2) FROM "monitors" WHERE ping_token LIKE 'v1.%.%'
) AS stored
GROUP BY key_id
ORDER BY count(*) DESC
LIMIT 1;
