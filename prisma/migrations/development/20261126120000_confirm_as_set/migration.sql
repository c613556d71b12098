-- Configs store what somebody set of `confirm`. Former versions stored the defaults too: if all values are defaults, nobody set any of them.
update monitors
set config = jsonb_set(config, '{confirm}', '{}')
where config -> 'confirm' in (
  '{"failures": 3, "recoveries": 4, "retryDelayMs": 10000}',
  '{"failures": 3, "recoveries": 4, "retryDelayMs": 10000, "degraded": 7}'
);
