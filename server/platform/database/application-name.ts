/**
 * The name under which this process appears in the database (`pg_stat_activity`, the server's log): its title, such as `upwatch-worker`, which the
 * start script sets. `application_name` in DATABASE_URL takes precedence.
 */
export const applicationName = process.title.startsWith('upwatch-') ? process.title : 'upwatch';
