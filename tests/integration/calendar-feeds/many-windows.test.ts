import { expect, it } from 'vitest';
import { maintenanceCalendar } from '@/server/maintenance/maintenance-calendar';
import { db } from '@/server/platform/db';
import { receivedBytes } from '@/tests/support/database-traffic';
import { newTeam } from '../notifications/support';

it('receives at most 21 names per window for the calendar of many windows with many monitors, and names the first twenty', async () => {
  const { id: teamId } = (await newTeam()).team;
  await db.$executeRaw`
    insert into monitors (id, team_id, type, name, config, interval_seconds, tags)
    select ${teamId} || lpad(i::text, 3, '0'), ${teamId}, 'http', 'Monitor ' || lpad(i::text, 3, '0'), '{}', 60, array['shop']
    from generate_series(1, 200) i`;
  await db.$executeRaw`
    insert into maintenance_windows (id, team_id, title, starts_at, ends_at, tags)
    select ${teamId} || i, ${teamId}, 'Update', now() + i * interval '1 h', now() + i * interval '1 h' + interval '30 min',
      case when i = 1 then array['shop'] else '{}' end from generate_series(1, 50) i`;
  await db.$executeRaw`
    insert into maintenance_window_monitors (maintenance_window_id, monitor_id)
    select w.id, m.id from maintenance_windows w, monitors m where w.team_id = ${teamId} and m.team_id = ${teamId} and w.id <> ${teamId} || 1`;
  expect(await receivedBytes(() => maintenanceCalendar(db, { teamId }))).toBeLessThan(200_000);
  const text = (await maintenanceCalendar(db, { teamId })).replaceAll('\r\n ', '');
  const names = Array.from({ length: 20 }, (_value, index) => `Monitor ${String(index + 1).padStart(3, '0')}`);
  expect(text.match(/DESCRIPTION:.*/g)).toEqual(
    Array(50).fill(`DESCRIPTION:Monitors: ${[...names, 'and more'].join('\\, ')}`),
  );
});
