import { formatCount } from '@/app/_components/format';
import type { RemovalPreview } from '@/server/admin/schema';

type LostTeam = RemovalPreview['teams'][number];

const parts: readonly { name: keyof LostTeam; one: string; many: string }[] = [
  { name: 'monitors', one: 'monitor and its checks', many: 'monitors and their checks' },
  { name: 'incidents', one: 'incident', many: 'incidents' },
  { name: 'channels', one: 'channel', many: 'channels' },
  { name: 'statusPages', one: 'status page', many: 'status pages' },
  { name: 'maintenanceWindows', one: 'maintenance window', many: 'maintenance windows' },
  { name: 'apiKeys', one: 'API key', many: 'API keys' },
  { name: 'invitations', one: 'invitation', many: 'invitations' },
];

function contentsOf(team: LostTeam): string {
  const texts = parts.flatMap(({ name, one, many }) => {
    const count = Number(team[name]);
    return count > 0 ? [`${formatCount(count)} ${count === 1 ? one : many}`] : [];
  });
  const others = team.members - 1;
  if (others > 0) texts.push(`${formatCount(others)} other ${others === 1 ? 'member loses' : 'members lose'} access`);
  if (team.billing) texts.push('its Stripe subscription is cancelled');
  return texts.length > 0 ? texts.join(', ') : 'empty';
}

/** The data that a force delete removes, by team. */
export function RemovalList({ preview }: { preview: RemovalPreview }) {
  return (
    <ul aria-label="Data to be deleted" className="divide-y border-y">
      <li className="py-2.5">
        <p className="font-medium">The account, its sessions and API keys</p>
      </li>
      {preview.teams.map((team) => (
        <li key={team.id} className="py-2.5">
          <p className="font-medium [overflow-wrap:anywhere]">The team {team.name}</p>
          <p className="text-muted">{contentsOf(team)}</p>
        </li>
      ))}
      {preview.memberships.map(({ id, name, role, apiKeys }) => (
        <li key={id} className="py-2.5">
          <p className="font-medium [overflow-wrap:anywhere]">
            The membership in {name} ({role})
          </p>
          <p className="text-muted">
            The team is kept.
            {apiKeys > 0
              ? ` ${formatCount(apiKeys)} API ${apiKeys === 1 ? 'key' : 'keys'} created there are deleted.`
              : ''}
          </p>
        </li>
      ))}
    </ul>
  );
}
