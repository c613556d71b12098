// @ts-check
import pg from 'pg';
import { httpConfig } from './http-config.mjs';

/**
 * @param {string} url
 * @param {unknown} body
 * @param {string} [token]
 */
async function post(url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`POST ${url}: ${JSON.stringify(answer)}`);
  return answer;
}

/**
 * Creates an account with a team and an API key.
 * @param {string} url
 * @returns {Promise<{ key: string, teamId: string }>}
 */
export async function createTeam(url) {
  const account = { email: 'bench@example.test', password: 'a long enough password' };
  const { accessToken, teamId } = await post(`${url}/auth/signup`, account);
  const { secret } = await post(`${url}/dashboard/api-keys`, { name: 'bench', scopes: ['read', 'write'] }, accessToken);
  return { key: secret, teamId };
}

/**
 * Creates paused monitors, so that reading is measured without checks.
 * @param {string} databaseUrl
 * @param {string} teamId
 * @param {number} count
 * @returns {Promise<string>} the ID of one in the middle
 */
export async function seedMonitors(databaseUrl, teamId, count) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const id = "'0BENCH' || lpad(n::text, 20, '0')";
    const config = httpConfig('https://shop.example/', { accept: 'text/html' });
    await client.query(
      `insert into monitors (id, team_id, type, name, config, interval_seconds, is_active, tags)
       select ${id}, $1, 'http', 'Shop ' || n, $2, 60, false, '{shop}' from generate_series(1, $3::int) n`,
      [teamId, config, count],
    );
    await client.query(
      `insert into monitor_states (monitor_id, team_id, status)
       select ${id}, $1, 'paused' from generate_series(1, $2::int) n`,
      [teamId, count],
    );
    await client.query('analyze monitors, monitor_states');
    const { rows } = await client.query(`select ${id} as id from generate_series($1::int, $1::int) n`, [count / 2]);
    return rows[0].id;
  } finally {
    await client.end();
  }
}
