import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';

type Row = Record<string, string | number | null>;

/** The columns that the reader uses of the tables of Uptime Kuma; version 2 adds `stat_daily`. */
const TABLES: Record<string, string> = {
  monitor: `id integer primary key, name text, active boolean default 1, interval integer default 60, url text, type text, hostname text, port integer,
    keyword text, maxretries integer default 0, ignore_tls boolean default 0, upside_down boolean default 0, maxredirects integer default 10,
    accepted_statuscodes_json text default '["200-299"]', dns_resolve_type text, dns_resolve_server text, retry_interval integer default 0,
    push_token text, method text default 'GET', body text, headers text, basic_auth_user text, basic_auth_pass text, auth_method text,
    tls_ca text, tls_cert text, tls_key text, oauth_client_id text, oauth_client_secret text, oauth_token_url text, oauth_scopes text,
    oauth_auth_method text, oauth_audience text, packet_size integer default 56,
    proxy_id integer, expiry_notification boolean default 1, resend_interval integer default 0, http_body_encoding text, description text,
    parent integer, invert_keyword boolean default 0, json_path text, expected_value text, timeout real, docker_container text,
    database_connection_string text, database_query text, radius_password text, mqtt_topic text, mqtt_success_message text, mqtt_username text,
    mqtt_password text, mqtt_check_type text, conditions text`,
  tag: 'id integer primary key, name text, color text',
  monitor_tag: 'id integer primary key, monitor_id integer, tag_id integer, value text',
  notification: 'id integer primary key, name text, config text, active boolean default 1, is_default boolean',
  monitor_notification: 'id integer primary key, monitor_id integer, notification_id integer',
  maintenance: `id integer primary key, title text, description text, active boolean default 1, strategy text, start_date text, end_date text,
    start_time text, end_time text, weekdays text, days_of_month text, interval_day integer, cron text, timezone text, duration integer`,
  monitor_maintenance: 'id integer primary key, monitor_id integer, maintenance_id integer',
  status_page:
    'id integer primary key, slug text, title text, description text, published boolean default 1, password text',
  group: 'id integer primary key, name text, weight integer, status_page_id integer',
  monitor_group: 'id integer primary key, monitor_id integer, group_id integer, weight integer',
  setting: 'id integer primary key, key text, value text',
  heartbeat: 'id integer primary key, monitor_id integer, status smallint, time text, ping integer',
};
const VERSION_2 = {
  stat_daily: 'id integer primary key, monitor_id integer, timestamp integer, up integer, down integer',
};

/**
 * Makes a database of Uptime Kuma with these rows.
 * @param sql statements to run at the end, for files that a person built
 */
export async function kumaDatabase(rows: Record<string, Row[]>, { version = 1, sql = '' } = {}): Promise<Buffer> {
  const { Database } = await initSqlJs();
  const database = new Database();
  for (const [table, columns] of Object.entries(version === 2 ? { ...TABLES, ...VERSION_2 } : TABLES)) {
    database.run(`create table "${table}" (${columns})`);
  }
  for (const [table, list] of Object.entries(rows)) {
    for (const row of list) {
      const columns = Object.keys(row).map((name) => `"${name}"`);
      const marks = columns.map(() => '?');
      database.run(`insert into "${table}" (${columns.join(', ')}) values (${marks.join(', ')})`, Object.values(row));
    }
  }
  if (sql !== '') database.exec(sql);
  const file = Buffer.from(database.export());
  database.close();
  return file;
}
