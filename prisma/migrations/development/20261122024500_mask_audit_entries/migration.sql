-- Request bodies, sent texts, query strings and webhook URLs may hold secrets: masks what earlier entries show of them.
-- Configs are sealed by a job of the worker, which has the key; here nothing needs to be read again.
CREATE FUNCTION pg_temp.mask_audit(kind text, side jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  path text[];
  value text;
BEGIN
  IF kind = 'monitor' THEN
    FOREACH path SLICE 1 IN ARRAY ARRAY[['config', 'body'], ['config', 'send']] LOOP
      IF jsonb_typeof(side #> path) = 'string' THEN
        side := jsonb_set(side, path, '"••••"');
      END IF;
    END LOOP;
    IF jsonb_typeof(side #> '{config,url}') = 'string' THEN
      value := regexp_replace(side #>> '{config,url}', '[?#].*$', '?••••');
      side := jsonb_set(side, '{config,url}', to_jsonb(regexp_replace(value, '//[^/@]*@', '//••••@')));
    END IF;
    IF jsonb_typeof(side #> '{config,auth,tokenUrl}') = 'string' THEN
      value := regexp_replace(side #>> '{config,auth,tokenUrl}', '[?#].*$', '?••••');
      side := jsonb_set(side, '{config,auth,tokenUrl}', to_jsonb(value));
    END IF;
  ELSIF jsonb_typeof(side #> '{config,url}') = 'string' THEN
    value := regexp_replace(side #>> '{config,url}', '^(\w+://[^/?#]+)[/?#].+$', '\1/••••');
    side := jsonb_set(side, '{config,url}', to_jsonb(value));
  END IF;
  RETURN side;
END $$;

UPDATE "audit_entries"
SET "before" = pg_temp.mask_audit("target_type", "before"), "after" = pg_temp.mask_audit("target_type", "after")
WHERE "target_type" IN ('monitor', 'channel')
  AND (jsonb_exists("before", 'config') OR jsonb_exists("after", 'config'));

DROP FUNCTION pg_temp.mask_audit(text, jsonb);
