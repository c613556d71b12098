-- Monitors that have the former defaults of `confirm` get the new ones, which replay shows to be quieter. Other values are somebody's choice.
update monitors
set config = jsonb_set(
    config, '{confirm}',
    (config -> 'confirm') || '{"failures": 3, "recoveries": 4, "retryDelayMs": 10000}'
      || case when config -> 'confirm' -> 'degraded' = '3' then '{"degraded": 7}'::jsonb else '{}' end
  ),
  version = version + 1
where config -> 'confirm' @> '{"failures": 2, "recoveries": 1, "retryDelayMs": 2000}';
