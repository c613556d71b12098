-- The schema that the migrations in ../development create, with the same order of columns. It never changes: later changes are migrations of their own.

CREATE TYPE account_link_purpose AS ENUM ('password_reset', 'email_change');
CREATE TYPE audit_actor_kind AS ENUM ('user', 'key', 'system', 'anonymous');
CREATE TYPE calendar_feed_kind AS ENUM ('on_call', 'maintenance');
CREATE TYPE channel_type AS ENUM ('email', 'slack', 'discord', 'line', 'webhook', 'telegram', 'microsoft_teams', 'pagerduty', 'opsgenie', 'google_chat', 'mattermost', 'rocketchat', 'ntfy', 'gotify', 'pushover', 'pushbullet', 'matrix', 'twilio', 'vonage', 'signal', 'zulip', 'splunk_on_call', 'grafana_oncall', 'webex', 'home_assistant', 'web_push', 'custom');
CREATE TYPE deleted_kind AS ENUM ('component', 'member', 'session');
CREATE TYPE delivery_hold AS ENUM ('quiet_hours');
CREATE TYPE delivery_status AS ENUM ('pending', 'delivered', 'failed');
CREATE TYPE escalation_status AS ENUM ('running', 'stopped', 'finished');
CREATE TYPE evidence_kind AS ENUM ('opened', 'resolved');
CREATE TYPE import_outcome AS ENUM ('waiting', 'started', 'created', 'updated', 'kept', 'failed', 'deleted', 'left');
CREATE TYPE import_state AS ENUM ('uploading', 'ready', 'running', 'done', 'undoing', 'undone');
CREATE TYPE incident_severity AS ENUM ('critical', 'warning', 'minor');
CREATE TYPE incident_status AS ENUM ('open', 'acknowledged', 'resolved');
CREATE TYPE incident_type AS ENUM ('downtime', 'degraded', 'certificate', 'manual');
CREATE TYPE incident_update_kind AS ENUM ('opened', 'acknowledged', 'resolved', 'note', 'changed', 'reopened');
CREATE TYPE maintenance_checks AS ENUM ('continue', 'pause');
CREATE TYPE monitor_status AS ENUM ('down', 'degraded', 'unknown', 'maintenance', 'paused', 'pending', 'up');
CREATE TYPE monitor_type AS ENUM ('http', 'tcp', 'ping', 'dns', 'tls', 'websocket', 'grpc', 'heartbeat', 'smtp', 'redis', 'postgresql', 'mysql', 'mqtt');
CREATE TYPE plan AS ENUM ('free', 'pro', 'business', 'self_hosted');
CREATE TYPE role AS ENUM ('owner', 'admin', 'member', 'viewer');
CREATE TYPE scope AS ENUM ('read', 'write');
CREATE TYPE session_kind AS ENUM ('tokens', 'dashboard');

-- Rows that refer to deleted objects without a foreign key are removed later in slices, by what these functions note.
CREATE FUNCTION forget_monitors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_monitors (num, monitor_id) SELECT num, id FROM gone;
    DELETE FROM stale_roll_ups WHERE monitor_num IN (SELECT num FROM gone);
    RETURN NULL;
END
$$;

CREATE FUNCTION forget_objects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_objects (kind, id, team_id)
    SELECT TG_ARGV[0]::deleted_kind, to_jsonb(gone) ->> TG_ARGV[1], coalesce(to_jsonb(gone) ->> TG_ARGV[2], '') FROM gone
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE FUNCTION forget_teams() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deleted_teams (id) SELECT id FROM gone;
    RETURN NULL;
END
$$;

-- Creates the partition of a day (UTC) where it is missing. Attaching, unlike creating in place, holds up no insert.
CREATE FUNCTION make_check_day(day date) RETURNS void LANGUAGE plpgsql AS $$
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

CREATE TABLE account_links (
  token_hash text NOT NULL,
  user_id text NOT NULL,
  purpose account_link_purpose NOT NULL,
  email text,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

CREATE TABLE acknowledge_groups (
  id text NOT NULL,
  channel_id text NOT NULL,
  incident_ids text[],
  openings integer[],
  sent_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE api_keys (
  id text NOT NULL,
  team_id text NOT NULL,
  created_by_id text NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  secret_hash text NOT NULL,
  scopes scope[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  allowed_networks text[] DEFAULT ARRAY[]::text[],
  grants text[] DEFAULT ARRAY[]::text[]
);

CREATE TABLE app_secret (
  id integer NOT NULL,
  fingerprint text NOT NULL,
  set_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE audit_entries (
  id text NOT NULL,
  at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  team_id text,
  actor_kind audit_actor_kind NOT NULL,
  actor_id text,
  actor_name text,
  credential text,
  address text,
  request_id text,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text,
  target_name text,
  reason text,
  before jsonb,
  after jsonb
);

CREATE TABLE calendar_feeds (
  id text NOT NULL,
  team_id text NOT NULL,
  user_id text NOT NULL,
  kind calendar_feed_kind NOT NULL,
  schedule_id text,
  token_hash text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE channel_routes (
  channel_id text NOT NULL,
  monitor_id text NOT NULL
);

CREATE TABLE channels (
  id text NOT NULL,
  team_id text,
  type channel_type NOT NULL,
  name text NOT NULL,
  config jsonb NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  delay_minutes integer DEFAULT 0 NOT NULL,
  owner_id text,
  "position" integer DEFAULT 0 NOT NULL,
  delivered_at timestamptz(3),
  failed_at timestamptz(3),
  failed_messages integer DEFAULT 0 NOT NULL,
  failing_since timestamptz(3),
  last_error text,
  retry_after timestamptz(3),
  max_per_minute integer DEFAULT 5 NOT NULL,
  recent_sends timestamptz(3)[] DEFAULT (ARRAY[]::timestamptz[])::timestamptz(3)[],
  sending_until timestamptz(3),
  templates jsonb DEFAULT '[]'::jsonb NOT NULL,
  fallback_channel_id text,
  owners_told_at timestamptz(3),
  all_monitors boolean DEFAULT true NOT NULL,
  min_severity incident_severity DEFAULT 'minor'::incident_severity NOT NULL,
  muted_events text[] DEFAULT ARRAY[]::text[],
  quiet_hours jsonb,
  reminder_minutes integer DEFAULT 0 NOT NULL,
  tags text[] DEFAULT ARRAY[]::text[],
  previous_secret jsonb,
  previous_secret_until timestamptz(3),
  last_message jsonb,
  external_id text
);

CREATE TABLE check_attempts (
  id text NOT NULL,
  monitor_id text NOT NULL,
  "row" text NOT NULL,
  at timestamptz(3) NOT NULL,
  status monitor_status NOT NULL,
  content bytea NOT NULL,
  evidence_id text
);

CREATE TABLE check_days (
  monitor_num integer NOT NULL,
  day integer NOT NULL,
  checks integer NOT NULL,
  latencies bytea NOT NULL,
  up_ms integer,
  degraded_ms integer,
  down_ms integer,
  unknown_ms integer,
  maintenance_ms integer,
  paused_ms integer,
  pending_ms integer,
  excluded_ms integer
);

CREATE TABLE check_hours (
  monitor_num integer NOT NULL,
  hour integer NOT NULL,
  checks integer NOT NULL,
  latencies bytea NOT NULL,
  up_ms integer,
  degraded_ms integer,
  down_ms integer,
  unknown_ms integer,
  maintenance_ms integer,
  paused_ms integer,
  pending_ms integer,
  excluded_ms integer
);

CREATE TABLE checks (
  monitor_num integer NOT NULL,
  at timestamptz(3) NOT NULL,
  region text NOT NULL,
  status monitor_status NOT NULL,
  latency_ms integer,
  dns_ms integer,
  connect_ms integer,
  tls_ms integer,
  first_byte_ms integer,
  download_ms integer,
  status_code integer,
  error text
) PARTITION BY RANGE (at);

CREATE TABLE compatibility (
  id integer NOT NULL,
  version integer NOT NULL,
  set_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE confirmed_recipients (
  team_id text NOT NULL,
  address text NOT NULL,
  confirmed_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE deleted_monitors (
  num integer NOT NULL,
  deleted_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  monitor_id text
);

CREATE TABLE deleted_objects (
  kind deleted_kind NOT NULL,
  id text NOT NULL,
  team_id text DEFAULT ''::text NOT NULL,
  deleted_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE deleted_teams (
  id text NOT NULL,
  deleted_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE deliveries (
  id text NOT NULL,
  team_id text NOT NULL,
  channel_id text NOT NULL,
  incident_id text,
  event text NOT NULL,
  event_key text NOT NULL,
  payload jsonb NOT NULL,
  status delivery_status DEFAULT 'pending'::delivery_status NOT NULL,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  forwarded_from_id text,
  hold delivery_hold,
  replayed_at timestamptz(3),
  replayed_by text,
  lease_until timestamptz(3),
  opening integer DEFAULT 0 NOT NULL,
  seq bigint NOT NULL
);

CREATE SEQUENCE deliveries_seq_seq;
ALTER SEQUENCE deliveries_seq_seq OWNED BY deliveries.seq;

CREATE TABLE delivery_attempts (
  id text NOT NULL,
  delivery_id text NOT NULL,
  at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  status_code integer,
  error text,
  exchange_id text
);

CREATE TABLE delivery_exchanges (
  id text NOT NULL,
  channel_id text NOT NULL,
  at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  request jsonb NOT NULL,
  response jsonb
);

CREATE TABLE escalation_policies (
  id text NOT NULL,
  team_id text NOT NULL,
  name text NOT NULL,
  steps jsonb NOT NULL,
  repeat integer DEFAULT 0 NOT NULL,
  all_monitors boolean DEFAULT false NOT NULL,
  tags text[] DEFAULT ARRAY[]::text[],
  min_severity incident_severity DEFAULT 'minor'::incident_severity NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  external_id text
);

CREATE TABLE escalation_policy_monitors (
  policy_id text NOT NULL,
  monitor_id text NOT NULL
);

CREATE TABLE escalations (
  incident_id text NOT NULL,
  team_id text NOT NULL,
  policy_id text NOT NULL,
  policy_name text NOT NULL,
  steps jsonb NOT NULL,
  status escalation_status NOT NULL,
  first_round integer DEFAULT 0 NOT NULL,
  round integer DEFAULT 0 NOT NULL,
  last_round integer NOT NULL,
  step integer DEFAULT '-1'::integer NOT NULL,
  next_step_at timestamptz(3) NOT NULL,
  pending jsonb DEFAULT '[]'::jsonb NOT NULL,
  next_at timestamptz(3),
  started_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  owners_told_at timestamptz(3)
);

CREATE TABLE heartbeat_bodies (
  monitor_id text NOT NULL,
  at timestamptz(3) NOT NULL,
  signal text NOT NULL,
  body text NOT NULL
);

CREATE TABLE idempotency_quotas (
  key text NOT NULL,
  day date NOT NULL,
  responses integer NOT NULL,
  bytes bigint NOT NULL
);

CREATE TABLE idempotent_requests (
  id text NOT NULL,
  operation text NOT NULL,
  body_hash text NOT NULL,
  status integer,
  body text,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  locked_until timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  team_id text,
  user_id text,
  claim_token text DEFAULT ''::text NOT NULL
);

CREATE TABLE import_items (
  import_id text NOT NULL,
  "position" integer NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  is_copy boolean DEFAULT false NOT NULL,
  outcome import_outcome DEFAULT 'waiting'::import_outcome NOT NULL,
  object_id text,
  fingerprint text,
  note text
);

CREATE TABLE import_parts (
  import_id text NOT NULL,
  "position" integer NOT NULL,
  data text NOT NULL
);

CREATE TABLE imports (
  id text NOT NULL,
  team_id text NOT NULL,
  author_name text NOT NULL,
  source text NOT NULL,
  file_name text NOT NULL,
  bytes integer NOT NULL,
  state import_state DEFAULT 'uploading'::import_state NOT NULL,
  draft text,
  start_paused boolean DEFAULT true NOT NULL,
  history boolean DEFAULT true NOT NULL,
  undoes_changed boolean DEFAULT false NOT NULL,
  claimed_until timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  ended_at timestamptz(3)
);

CREATE TABLE incident_components (
  incident_id text NOT NULL,
  component_id text NOT NULL
);

CREATE TABLE incident_evidence (
  id text NOT NULL,
  incident_id text NOT NULL,
  kind evidence_kind NOT NULL,
  at timestamptz(3) NOT NULL,
  stored_at timestamptz(3)
);

CREATE TABLE incident_monitors (
  incident_id text NOT NULL,
  monitor_id text NOT NULL
);

CREATE TABLE incident_postmortems (
  incident_id text NOT NULL,
  body text NOT NULL,
  author_name text NOT NULL,
  published_at timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  html text,
  html_version integer DEFAULT 0 NOT NULL
);

CREATE TABLE incident_updates (
  id text NOT NULL,
  incident_id text NOT NULL,
  kind incident_update_kind NOT NULL,
  message text NOT NULL,
  author_name text,
  at timestamptz(3) NOT NULL,
  is_public boolean DEFAULT false NOT NULL,
  dedupe_key text
);

CREATE TABLE incidents (
  id text NOT NULL,
  team_id text NOT NULL,
  monitor_id text,
  type incident_type NOT NULL,
  status incident_status NOT NULL,
  open_key text,
  title text,
  cause text,
  started_at timestamptz(3) NOT NULL,
  acknowledged_at timestamptz(3),
  resolved_at timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  severity incident_severity DEFAULT 'critical'::incident_severity NOT NULL,
  assignee_id text,
  reopenings integer DEFAULT 0 NOT NULL,
  share_hash text,
  held_until timestamptz(3),
  parent_incident_id text
);

CREATE TABLE instance_samples (
  id integer NOT NULL,
  taken_at timestamptz(3) NOT NULL,
  figures jsonb NOT NULL
);

CREATE TABLE invitations (
  id text NOT NULL,
  team_id text NOT NULL,
  email text NOT NULL,
  role role NOT NULL,
  token_hash text NOT NULL,
  created_by_id text,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  revoked_at timestamptz(3)
);

CREATE TABLE kept_mail (
  id text NOT NULL,
  "to" text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  team_id text
);

CREATE TABLE kv_entries (
  key text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz(3)
);

CREATE TABLE listening_spans (
  id bigint NOT NULL,
  from_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  until_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE SEQUENCE listening_spans_id_seq;
ALTER SEQUENCE listening_spans_id_seq OWNED BY listening_spans.id;

CREATE TABLE live_watchers (
  team_id text NOT NULL,
  until timestamptz(3) NOT NULL
);

CREATE TABLE mail_quotas (
  key text NOT NULL,
  day date NOT NULL,
  sent integer NOT NULL
);

CREATE TABLE maintenance_periods (
  monitor_num integer NOT NULL,
  window_id text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  checks maintenance_checks NOT NULL
);

CREATE TABLE maintenance_window_monitors (
  maintenance_window_id text NOT NULL,
  monitor_id text NOT NULL
);

CREATE TABLE maintenance_windows (
  id text NOT NULL,
  team_id text NOT NULL,
  title text NOT NULL,
  description text,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  all_monitors boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  announce_hours integer,
  checks maintenance_checks DEFAULT 'continue'::maintenance_checks NOT NULL,
  is_announced boolean DEFAULT true NOT NULL,
  planned_until timestamptz(3),
  recurrence text,
  tags text[] DEFAULT ARRAY[]::text[],
  timezone text DEFAULT 'UTC'::text NOT NULL,
  announced jsonb,
  changed_ends timestamptz(3)[] DEFAULT (ARRAY[]::timestamptz[])::timestamptz(3)[],
  changed_starts timestamptz(3)[] DEFAULT (ARRAY[]::timestamptz[])::timestamptz(3)[],
  notifies_channels boolean DEFAULT false NOT NULL,
  skipped_starts timestamptz(3)[] DEFAULT (ARRAY[]::timestamptz[])::timestamptz(3)[],
  sequence integer DEFAULT 0 NOT NULL,
  plan_retry_at timestamptz(3),
  external_id text
);

CREATE TABLE memberships (
  team_id text NOT NULL,
  user_id text NOT NULL,
  role role NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  weekly_summary_since timestamptz(3)
);

CREATE TABLE monitor_channels (
  monitor_id text NOT NULL,
  channel_id text NOT NULL
);

CREATE TABLE monitor_states (
  monitor_id text NOT NULL,
  team_id text NOT NULL,
  status monitor_status DEFAULT 'pending'::monitor_status NOT NULL,
  status_since timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  recoveries integer DEFAULT 0 NOT NULL,
  last_error text,
  turned_at timestamptz(3),
  expected_since timestamptz(3),
  run_started_at timestamptz(3),
  certificate jsonb,
  certificate_warned boolean DEFAULT false NOT NULL,
  changes timestamptz(3)[] DEFAULT (ARRAY[]::timestamptz[])::timestamptz(3)[],
  open_incident incident_type,
  latency_streak integer DEFAULT 0 NOT NULL,
  latency_turned_at timestamptz(3),
  steady_since timestamptz(3),
  claimed_by text,
  claimed_until timestamptz(3),
  due_at timestamptz(3),
  last_checked_at timestamptz(3),
  revision integer DEFAULT 0 NOT NULL,
  last_latency_ms integer,
  region text DEFAULT ''::text NOT NULL,
  check_pauses timestamptz(3)[] DEFAULT (ARRAY[]::timestamptz[])::timestamptz(3)[],
  held jsonb,
  maintenance timestamptz(3)[] DEFAULT (ARRAY[]::timestamptz[])::timestamptz(3)[],
  before_pause jsonb,
  planned_until timestamptz(3),
  noise_until timestamptz(3)
) WITH (fillfactor='40');

CREATE TABLE monitors (
  id text NOT NULL,
  num integer NOT NULL,
  team_id text NOT NULL,
  type monitor_type NOT NULL,
  name text NOT NULL,
  config jsonb NOT NULL,
  interval_seconds integer NOT NULL,
  is_active boolean DEFAULT true NOT NULL,
  tags text[] DEFAULT ARRAY[]::text[],
  all_channels boolean DEFAULT true NOT NULL,
  external_id text,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  ping_token text,
  ping_token_hash text,
  regions text[] DEFAULT ARRAY[]::text[],
  former_watch_ms double precision,
  watch_changed_at timestamptz(3),
  severity incident_severity DEFAULT 'critical'::incident_severity NOT NULL,
  parent_id text,
  deletes_at timestamptz(3),
  resumes_on_undo boolean DEFAULT false NOT NULL
);

CREATE SEQUENCE monitors_num_seq AS integer;
ALTER SEQUENCE monitors_num_seq OWNED BY monitors.num;

CREATE TABLE on_call_overrides (
  id text NOT NULL,
  team_id text NOT NULL,
  schedule_id text NOT NULL,
  user_id text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  reason text,
  created_by_id text,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE on_call_schedules (
  id text NOT NULL,
  team_id text NOT NULL,
  name text NOT NULL,
  timezone text NOT NULL,
  layers jsonb NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  sequence integer DEFAULT 0 NOT NULL,
  external_id text
);

CREATE TABLE refresh_tokens (
  token_hash text NOT NULL,
  session_id text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);

CREATE TABLE roll_up_mark (
  id integer DEFAULT 1 NOT NULL,
  hour integer NOT NULL
);

CREATE TABLE saved_views (
  id text NOT NULL,
  team_id text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  is_default boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE sessions (
  id text NOT NULL,
  user_id text NOT NULL,
  team_id text,
  kind session_kind NOT NULL,
  address text,
  user_agent text,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  last_used_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  session_version integer NOT NULL
);

CREATE TABLE stale_roll_ups (
  monitor_num integer NOT NULL,
  hour integer NOT NULL,
  changes integer DEFAULT 1 NOT NULL
);

CREATE TABLE status_page_components (
  id text NOT NULL,
  status_page_id text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  "position" integer NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE status_page_monitors (
  status_page_id text NOT NULL,
  monitor_id text NOT NULL,
  "position" integer NOT NULL,
  display_name text
);

CREATE TABLE status_pages (
  id text NOT NULL,
  team_id text NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  is_public boolean DEFAULT true NOT NULL,
  logo_key text,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  external_id text
);

CREATE TABLE status_spans (
  monitor_num integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  status monitor_status NOT NULL
);

CREATE TABLE stripe_events (
  id text NOT NULL,
  type text NOT NULL,
  handled_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE teams (
  id text NOT NULL,
  name text NOT NULL,
  plan plan NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  stripe_customer_id text,
  stripe_status text,
  stripe_subscription_id text,
  billing_revision integer DEFAULT 0 NOT NULL,
  group_seconds integer DEFAULT 15 NOT NULL,
  fallback_channel_id text
);

CREATE TABLE uptime_exclusions (
  id text NOT NULL,
  team_id text NOT NULL,
  monitor_id text NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  reason text NOT NULL,
  author_name text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE users (
  id text NOT NULL,
  email text NOT NULL,
  name text,
  password_hash text NOT NULL,
  is_admin boolean DEFAULT false NOT NULL,
  session_version integer DEFAULT 1 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  time_zone text
);

CREATE TABLE weekly_summaries (
  team_id text NOT NULL,
  user_id text NOT NULL,
  week date NOT NULL
);

CREATE TABLE workers (
  id text NOT NULL,
  region text NOT NULL,
  started_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  seen_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  checks_per_minute double precision DEFAULT 0 NOT NULL,
  lateness bigint[] DEFAULT ARRAY[]::bigint[],
  lateness_ms double precision DEFAULT 0 NOT NULL,
  lateness_p99_ms double precision,
  version text DEFAULT ''::text NOT NULL,
  canary_at timestamptz(3),
  lost_at timestamptz(3),
  waits jsonb DEFAULT '{}'::jsonb NOT NULL,
  process jsonb DEFAULT '{}'::jsonb NOT NULL
);
ALTER TABLE deliveries ALTER COLUMN seq SET DEFAULT nextval('deliveries_seq_seq'::regclass);
ALTER TABLE listening_spans ALTER COLUMN id SET DEFAULT nextval('listening_spans_id_seq'::regclass);
ALTER TABLE monitors ALTER COLUMN num SET DEFAULT nextval('monitors_num_seq'::regclass);

ALTER TABLE account_links ADD CONSTRAINT account_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE acknowledge_groups ADD CONSTRAINT acknowledge_groups_pkey PRIMARY KEY (id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE app_secret ADD CONSTRAINT app_secret_pkey PRIMARY KEY (id);
ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);
ALTER TABLE calendar_feeds ADD CONSTRAINT calendar_feeds_pkey PRIMARY KEY (id);
ALTER TABLE channel_routes ADD CONSTRAINT channel_routes_pkey PRIMARY KEY (channel_id, monitor_id);
ALTER TABLE channels ADD CONSTRAINT channels_pkey PRIMARY KEY (id);
ALTER TABLE check_attempts ADD CONSTRAINT check_attempts_pkey PRIMARY KEY (id);
ALTER TABLE check_days ADD CONSTRAINT check_days_pkey PRIMARY KEY (monitor_num, day);
ALTER TABLE check_hours ADD CONSTRAINT check_hours_pkey PRIMARY KEY (monitor_num, hour);
ALTER TABLE checks ADD CONSTRAINT checks_pkey PRIMARY KEY (monitor_num, at, region);
ALTER TABLE compatibility ADD CONSTRAINT compatibility_pkey PRIMARY KEY (id);
ALTER TABLE confirmed_recipients ADD CONSTRAINT confirmed_recipients_pkey PRIMARY KEY (team_id, address);
ALTER TABLE deleted_monitors ADD CONSTRAINT deleted_monitors_pkey PRIMARY KEY (num);
ALTER TABLE deleted_objects ADD CONSTRAINT deleted_objects_pkey PRIMARY KEY (kind, id, team_id);
ALTER TABLE deleted_teams ADD CONSTRAINT deleted_teams_pkey PRIMARY KEY (id);
ALTER TABLE deliveries ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);
ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (id);
ALTER TABLE delivery_exchanges ADD CONSTRAINT delivery_exchanges_pkey PRIMARY KEY (id);
ALTER TABLE escalation_policies ADD CONSTRAINT escalation_policies_pkey PRIMARY KEY (id);
ALTER TABLE escalation_policy_monitors ADD CONSTRAINT escalation_policy_monitors_pkey PRIMARY KEY (policy_id, monitor_id);
ALTER TABLE escalations ADD CONSTRAINT escalations_pkey PRIMARY KEY (incident_id);
ALTER TABLE heartbeat_bodies ADD CONSTRAINT heartbeat_bodies_pkey PRIMARY KEY (monitor_id);
ALTER TABLE idempotency_quotas ADD CONSTRAINT idempotency_quotas_pkey PRIMARY KEY (key, day);
ALTER TABLE idempotent_requests ADD CONSTRAINT idempotent_requests_pkey PRIMARY KEY (id);
ALTER TABLE import_items ADD CONSTRAINT import_items_pkey PRIMARY KEY (import_id, "position");
ALTER TABLE import_parts ADD CONSTRAINT import_parts_pkey PRIMARY KEY (import_id, "position");
ALTER TABLE imports ADD CONSTRAINT imports_pkey PRIMARY KEY (id);
ALTER TABLE incident_components ADD CONSTRAINT incident_components_pkey PRIMARY KEY (incident_id, component_id);
ALTER TABLE incident_evidence ADD CONSTRAINT incident_evidence_pkey PRIMARY KEY (id);
ALTER TABLE incident_monitors ADD CONSTRAINT incident_monitors_pkey PRIMARY KEY (incident_id, monitor_id);
ALTER TABLE incident_postmortems ADD CONSTRAINT incident_postmortems_pkey PRIMARY KEY (incident_id);
ALTER TABLE incident_updates ADD CONSTRAINT incident_updates_pkey PRIMARY KEY (id);
ALTER TABLE incidents ADD CONSTRAINT incidents_pkey PRIMARY KEY (id);
ALTER TABLE instance_samples ADD CONSTRAINT instance_samples_pkey PRIMARY KEY (id);
ALTER TABLE invitations ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);
ALTER TABLE kept_mail ADD CONSTRAINT kept_mail_pkey PRIMARY KEY (id);
ALTER TABLE kv_entries ADD CONSTRAINT kv_entries_pkey PRIMARY KEY (key);
ALTER TABLE listening_spans ADD CONSTRAINT listening_spans_pkey PRIMARY KEY (id);
ALTER TABLE live_watchers ADD CONSTRAINT live_watchers_pkey PRIMARY KEY (team_id);
ALTER TABLE mail_quotas ADD CONSTRAINT mail_quotas_pkey PRIMARY KEY (key, day);
ALTER TABLE maintenance_periods ADD CONSTRAINT maintenance_periods_pkey PRIMARY KEY (monitor_num, window_id, starts_at);
ALTER TABLE maintenance_window_monitors ADD CONSTRAINT maintenance_window_monitors_pkey PRIMARY KEY (maintenance_window_id, monitor_id);
ALTER TABLE maintenance_windows ADD CONSTRAINT maintenance_windows_pkey PRIMARY KEY (id);
ALTER TABLE memberships ADD CONSTRAINT memberships_pkey PRIMARY KEY (team_id, user_id);
ALTER TABLE monitor_channels ADD CONSTRAINT monitor_channels_pkey PRIMARY KEY (monitor_id, channel_id);
ALTER TABLE monitor_states ADD CONSTRAINT monitor_states_pkey PRIMARY KEY (monitor_id, region);
ALTER TABLE monitors ADD CONSTRAINT monitors_pkey PRIMARY KEY (id);
ALTER TABLE on_call_overrides ADD CONSTRAINT on_call_overrides_pkey PRIMARY KEY (id);
ALTER TABLE on_call_schedules ADD CONSTRAINT on_call_schedules_pkey PRIMARY KEY (id);
ALTER TABLE refresh_tokens ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE roll_up_mark ADD CONSTRAINT roll_up_mark_pkey PRIMARY KEY (id);
ALTER TABLE saved_views ADD CONSTRAINT saved_views_pkey PRIMARY KEY (id);
ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE stale_roll_ups ADD CONSTRAINT stale_roll_ups_pkey PRIMARY KEY (monitor_num);
ALTER TABLE status_page_components ADD CONSTRAINT status_page_components_pkey PRIMARY KEY (id);
ALTER TABLE status_page_monitors ADD CONSTRAINT status_page_monitors_pkey PRIMARY KEY (status_page_id, monitor_id);
ALTER TABLE status_pages ADD CONSTRAINT status_pages_pkey PRIMARY KEY (id);
ALTER TABLE status_spans ADD CONSTRAINT status_spans_pkey PRIMARY KEY (monitor_num, started_at);
ALTER TABLE stripe_events ADD CONSTRAINT stripe_events_pkey PRIMARY KEY (id);
ALTER TABLE teams ADD CONSTRAINT teams_pkey PRIMARY KEY (id);
ALTER TABLE uptime_exclusions ADD CONSTRAINT uptime_exclusions_pkey PRIMARY KEY (id);
ALTER TABLE users ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE weekly_summaries ADD CONSTRAINT weekly_summaries_pkey PRIMARY KEY (team_id, user_id, week);
ALTER TABLE workers ADD CONSTRAINT workers_pkey PRIMARY KEY (id);

CREATE INDEX account_links_expires_at_idx ON account_links (expires_at);
CREATE INDEX account_links_user_id_purpose_idx ON account_links (user_id, purpose);
CREATE INDEX acknowledge_groups_channel_id_idx ON acknowledge_groups (channel_id);
CREATE INDEX acknowledge_groups_sent_at_idx ON acknowledge_groups (sent_at);
CREATE INDEX api_keys_created_by_id_idx ON api_keys (created_by_id);
CREATE UNIQUE INDEX api_keys_secret_hash_key ON api_keys (secret_hash);
CREATE INDEX api_keys_team_id_idx ON api_keys (team_id);
CREATE INDEX audit_entries_target_id_idx ON audit_entries (target_id);
CREATE INDEX audit_entries_team_id_action_id_idx ON audit_entries (team_id, action, id DESC);
CREATE INDEX audit_entries_team_id_id_idx ON audit_entries (team_id, id DESC);
CREATE INDEX audit_entries_team_id_target_id_action_id_idx ON audit_entries (team_id, target_id, action, id DESC);
CREATE INDEX calendar_feeds_schedule_id_idx ON calendar_feeds (schedule_id);
CREATE INDEX calendar_feeds_team_id_user_id_idx ON calendar_feeds (team_id, user_id);
CREATE UNIQUE INDEX calendar_feeds_token_hash_key ON calendar_feeds (token_hash);
CREATE INDEX channel_routes_monitor_id_idx ON channel_routes (monitor_id);
CREATE INDEX channels_fallback_channel_id_idx ON channels (fallback_channel_id);
CREATE UNIQUE INDEX channels_team_id_external_id_key ON channels (team_id, external_id);
CREATE INDEX channels_team_id_idx ON channels (team_id);
CREATE INDEX channels_team_id_owner_id_idx ON channels (team_id, owner_id);
CREATE INDEX check_attempts_evidence_id_idx ON check_attempts (evidence_id);
CREATE INDEX check_attempts_monitor_id_idx ON check_attempts (monitor_id);
CREATE INDEX deleted_objects_deleted_at_idx ON deleted_objects (deleted_at);
CREATE INDEX deliveries_channel_id_created_at_id_idx ON deliveries (channel_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX deliveries_channel_id_event_key_key ON deliveries (channel_id, event_key);
CREATE INDEX deliveries_forwarded_from_id_idx ON deliveries (forwarded_from_id);
CREATE INDEX deliveries_incident_id_channel_id_status_seq_idx ON deliveries (incident_id, channel_id, status, seq);
CREATE INDEX deliveries_incident_id_id_idx ON deliveries (incident_id, id DESC);
CREATE INDEX deliveries_pending_idx ON deliveries (team_id, next_attempt_at) WHERE (status = 'pending'::delivery_status);
CREATE INDEX deliveries_team_id_idx ON deliveries (team_id);
CREATE INDEX deliveries_timed_idx ON deliveries (channel_id, incident_id) WHERE ((next_attempt_at IS NOT NULL) AND (incident_id IS NOT NULL));
CREATE INDEX deliveries_waiting_idx ON deliveries (channel_id, next_attempt_at) WHERE (status = 'pending'::delivery_status);
CREATE INDEX delivery_attempts_delivery_id_at_idx ON delivery_attempts (delivery_id, at);
CREATE INDEX delivery_exchanges_at_idx ON delivery_exchanges (at);
CREATE INDEX delivery_exchanges_channel_id_idx ON delivery_exchanges (channel_id);
CREATE UNIQUE INDEX escalation_policies_team_id_external_id_key ON escalation_policies (team_id, external_id);
CREATE INDEX escalation_policies_team_id_id_idx ON escalation_policies (team_id, id DESC);
CREATE INDEX escalation_policy_monitors_monitor_id_idx ON escalation_policy_monitors (monitor_id);
CREATE INDEX escalations_next_at_idx ON escalations (next_at);
CREATE INDEX escalations_policy_id_status_idx ON escalations (policy_id, status);
CREATE INDEX idempotency_quotas_day_idx ON idempotency_quotas (day);
CREATE INDEX idempotent_requests_expires_at_idx ON idempotent_requests (expires_at);
CREATE INDEX idempotent_requests_team_id_idx ON idempotent_requests (team_id);
CREATE INDEX idempotent_requests_user_id_idx ON idempotent_requests (user_id);
CREATE INDEX imports_created_at_idx ON imports (created_at);
CREATE INDEX imports_team_id_id_idx ON imports (team_id, id DESC);
CREATE INDEX incident_components_component_id_incident_id_idx ON incident_components (component_id, incident_id);
CREATE INDEX incident_evidence_incident_id_idx ON incident_evidence (incident_id);
CREATE INDEX incident_evidence_stored_at_idx ON incident_evidence (stored_at);
CREATE INDEX incident_monitors_monitor_id_incident_id_idx ON incident_monitors (monitor_id, incident_id);
CREATE INDEX incident_updates_incident_id_at_idx ON incident_updates (incident_id, at);
CREATE UNIQUE INDEX incident_updates_incident_id_dedupe_key_key ON incident_updates (incident_id, dedupe_key);
CREATE INDEX incident_updates_public_idx ON incident_updates (incident_id, at DESC, id DESC) WHERE (is_public OR (kind <> ALL (ARRAY['note'::incident_update_kind, 'changed'::incident_update_kind])));
CREATE INDEX incidents_monitor_id_started_at_idx ON incidents (monitor_id, started_at DESC);
CREATE UNIQUE INDEX incidents_open_key_key ON incidents (open_key);
CREATE INDEX incidents_parent_incident_id_idx ON incidents (parent_incident_id);
CREATE UNIQUE INDEX incidents_share_hash_key ON incidents (share_hash);
CREATE INDEX incidents_team_id_assignee_id_started_at_idx ON incidents (team_id, assignee_id, started_at DESC);
CREATE INDEX incidents_team_id_started_at_id_idx ON incidents (team_id, started_at DESC, id DESC);
CREATE INDEX incidents_team_id_status_started_at_id_idx ON incidents (team_id, status, started_at DESC, id DESC);
CREATE INDEX invitations_created_by_id_idx ON invitations (created_by_id);
CREATE INDEX invitations_team_id_id_idx ON invitations (team_id, id DESC);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE INDEX kept_mail_created_at_idx ON kept_mail (created_at DESC);
CREATE INDEX kept_mail_team_id_idx ON kept_mail (team_id);
CREATE INDEX kv_entries_expires_at_idx ON kv_entries (expires_at);
CREATE INDEX listening_spans_until_at_idx ON listening_spans (until_at);
CREATE INDEX mail_quotas_day_idx ON mail_quotas (day);
CREATE INDEX maintenance_periods_monitor_num_ends_at_starts_at_idx ON maintenance_periods (monitor_num, ends_at, starts_at);
CREATE INDEX maintenance_periods_window_id_starts_at_idx ON maintenance_periods (window_id, starts_at);
CREATE INDEX maintenance_window_monitors_monitor_id_idx ON maintenance_window_monitors (monitor_id);
CREATE UNIQUE INDEX maintenance_windows_team_id_external_id_key ON maintenance_windows (team_id, external_id);
CREATE INDEX maintenance_windows_team_id_id_idx ON maintenance_windows (team_id, id DESC);
CREATE INDEX memberships_user_id_idx ON memberships (user_id);
CREATE INDEX memberships_weekly_summary_since_idx ON memberships (weekly_summary_since);
CREATE INDEX monitor_channels_channel_id_idx ON monitor_channels (channel_id);
CREATE INDEX monitor_states_not_up_idx ON monitor_states (team_id, status) WHERE (((status <> 'up'::monitor_status) OR (maintenance <> '{}'::timestamptz[])) AND (region = ''::text));
CREATE INDEX monitor_states_own_due_idx ON monitor_states (due_at) WHERE (region = ''::text);
CREATE INDEX monitor_states_planned_until_idx ON monitor_states (planned_until) WHERE (planned_until IS NOT NULL);
CREATE INDEX monitor_states_region_due_idx ON monitor_states (region, due_at) WHERE (region <> ''::text);
CREATE UNIQUE INDEX monitors_num_key ON monitors (num);
CREATE INDEX monitors_parent_id_idx ON monitors (parent_id);
CREATE UNIQUE INDEX monitors_ping_token_hash_key ON monitors (ping_token_hash);
CREATE INDEX monitors_tags_idx ON monitors USING gin (tags);
CREATE UNIQUE INDEX monitors_team_id_external_id_key ON monitors (team_id, external_id);
CREATE INDEX monitors_team_id_id_idx ON monitors (team_id, id DESC);
CREATE INDEX monitors_team_id_name_id_idx ON monitors (team_id, name, id);
CREATE INDEX monitors_team_id_type_id_idx ON monitors (team_id, type, id DESC);
CREATE INDEX on_call_overrides_schedule_id_ends_at_idx ON on_call_overrides (schedule_id, ends_at);
CREATE INDEX on_call_overrides_team_id_user_id_idx ON on_call_overrides (team_id, user_id);
CREATE UNIQUE INDEX on_call_schedules_team_id_external_id_key ON on_call_schedules (team_id, external_id);
CREATE INDEX on_call_schedules_team_id_id_idx ON on_call_schedules (team_id, id DESC);
CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);
CREATE UNIQUE INDEX saved_views_team_id_name_key ON saved_views (team_id, name);
CREATE INDEX sessions_team_id_idx ON sessions (team_id);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE UNIQUE INDEX status_page_components_status_page_id_name_key_key ON status_page_components (status_page_id, name_key);
CREATE INDEX status_page_monitors_monitor_id_idx ON status_page_monitors (monitor_id);
CREATE UNIQUE INDEX status_pages_slug_key ON status_pages (slug);
CREATE UNIQUE INDEX status_pages_team_id_external_id_key ON status_pages (team_id, external_id);
CREATE INDEX status_pages_team_id_id_idx ON status_pages (team_id, id DESC);
CREATE INDEX teams_fallback_channel_id_idx ON teams (fallback_channel_id);
CREATE UNIQUE INDEX teams_stripe_customer_id_key ON teams (stripe_customer_id);
CREATE UNIQUE INDEX teams_stripe_subscription_id_key ON teams (stripe_subscription_id);
CREATE INDEX uptime_exclusions_monitor_id_starts_at_idx ON uptime_exclusions (monitor_id, starts_at);
CREATE INDEX uptime_exclusions_team_id_idx ON uptime_exclusions (team_id);
CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE INDEX weekly_summaries_week_idx ON weekly_summaries (week);

CREATE TRIGGER forget_components AFTER DELETE ON status_page_components REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_objects('component', 'id');
CREATE TRIGGER forget_members AFTER DELETE ON memberships REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_objects('member', 'user_id', 'team_id');
CREATE TRIGGER forget_monitors AFTER DELETE ON monitors REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_monitors();
CREATE TRIGGER forget_sessions AFTER DELETE ON sessions REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_objects('session', 'id');
CREATE TRIGGER forget_teams AFTER DELETE ON teams REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_teams();

ALTER TABLE account_links ADD CONSTRAINT account_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE acknowledge_groups ADD CONSTRAINT acknowledge_groups_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE calendar_feeds ADD CONSTRAINT calendar_feeds_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES on_call_schedules(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE calendar_feeds ADD CONSTRAINT calendar_feeds_team_id_user_id_fkey FOREIGN KEY (team_id, user_id) REFERENCES memberships(team_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE channel_routes ADD CONSTRAINT channel_routes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE channel_routes ADD CONSTRAINT channel_routes_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE channels ADD CONSTRAINT channels_fallback_channel_id_fkey FOREIGN KEY (fallback_channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE channels ADD CONSTRAINT channels_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE channels ADD CONSTRAINT channels_team_id_owner_id_fkey FOREIGN KEY (team_id, owner_id) REFERENCES memberships(team_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE check_attempts ADD CONSTRAINT check_attempts_evidence_id_fkey FOREIGN KEY (evidence_id) REFERENCES incident_evidence(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE confirmed_recipients ADD CONSTRAINT confirmed_recipients_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_forwarded_from_id_fkey FOREIGN KEY (forwarded_from_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE delivery_attempts ADD CONSTRAINT delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE delivery_exchanges ADD CONSTRAINT delivery_exchanges_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE escalation_policies ADD CONSTRAINT escalation_policies_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE escalation_policy_monitors ADD CONSTRAINT escalation_policy_monitors_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE escalation_policy_monitors ADD CONSTRAINT escalation_policy_monitors_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES escalation_policies(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE escalations ADD CONSTRAINT escalations_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE heartbeat_bodies ADD CONSTRAINT heartbeat_bodies_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE import_items ADD CONSTRAINT import_items_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE import_parts ADD CONSTRAINT import_parts_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE imports ADD CONSTRAINT imports_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE incident_components ADD CONSTRAINT incident_components_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE incident_evidence ADD CONSTRAINT incident_evidence_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE incident_monitors ADD CONSTRAINT incident_monitors_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE incident_postmortems ADD CONSTRAINT incident_postmortems_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE incident_updates ADD CONSTRAINT incident_updates_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE incidents ADD CONSTRAINT incidents_parent_incident_id_fkey FOREIGN KEY (parent_incident_id) REFERENCES incidents(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE invitations ADD CONSTRAINT invitations_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE invitations ADD CONSTRAINT invitations_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE kept_mail ADD CONSTRAINT kept_mail_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE live_watchers ADD CONSTRAINT live_watchers_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE maintenance_window_monitors ADD CONSTRAINT maintenance_window_monitors_maintenance_window_id_fkey FOREIGN KEY (maintenance_window_id) REFERENCES maintenance_windows(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE maintenance_window_monitors ADD CONSTRAINT maintenance_window_monitors_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE maintenance_windows ADD CONSTRAINT maintenance_windows_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE memberships ADD CONSTRAINT memberships_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE memberships ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE monitor_channels ADD CONSTRAINT monitor_channels_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE monitor_channels ADD CONSTRAINT monitor_channels_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE monitor_states ADD CONSTRAINT monitor_states_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE monitors ADD CONSTRAINT monitors_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE monitors ADD CONSTRAINT monitors_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE on_call_overrides ADD CONSTRAINT on_call_overrides_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES on_call_schedules(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE on_call_overrides ADD CONSTRAINT on_call_overrides_team_id_user_id_fkey FOREIGN KEY (team_id, user_id) REFERENCES memberships(team_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE on_call_schedules ADD CONSTRAINT on_call_schedules_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE saved_views ADD CONSTRAINT saved_views_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sessions ADD CONSTRAINT sessions_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE status_page_components ADD CONSTRAINT status_page_components_status_page_id_fkey FOREIGN KEY (status_page_id) REFERENCES status_pages(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE status_page_monitors ADD CONSTRAINT status_page_monitors_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE status_page_monitors ADD CONSTRAINT status_page_monitors_status_page_id_fkey FOREIGN KEY (status_page_id) REFERENCES status_pages(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE status_pages ADD CONSTRAINT status_pages_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE teams ADD CONSTRAINT teams_fallback_channel_id_fkey FOREIGN KEY (fallback_channel_id) REFERENCES channels(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE uptime_exclusions ADD CONSTRAINT uptime_exclusions_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE uptime_exclusions ADD CONSTRAINT uptime_exclusions_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE weekly_summaries ADD CONSTRAINT weekly_summaries_team_id_user_id_fkey FOREIGN KEY (team_id, user_id) REFERENCES memberships(team_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;

SELECT make_check_day((now() AT TIME ZONE 'UTC')::date + day) FROM generate_series(0, 7) day;
