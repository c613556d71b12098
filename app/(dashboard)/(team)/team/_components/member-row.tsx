import { roleWords } from '@/app/_components/roles';
import { Timestamp } from '@/app/_components/time/time';
import { Button } from '@/app/_components/ui/button';
import { Select } from '@/app/_components/ui/select';
import { isStronger, type Member, Role } from '@/server/teams/schema';

const roleOptions = Role.options.map((role) => ({ value: role, label: roleWords[role].label }));

/** The signed-in user. */
export interface Me {
  id: string;
  role: Role;
}

export interface MemberRowProps {
  member: Member;
  me: Me;
  onRole: (role: Role) => void;
  onRemove: () => void;
  onLeave: () => void;
}

/** One member: name, join date, role, and the actions the user has. */
export function MemberRow({ member, me, onRole, onRemove, onLeave }: MemberRowProps) {
  const { id, name, email, role, createdAt } = member;
  const isMe = id === me.id;
  const mayRemove = isStronger(me.role, 'member') && isStronger(me.role, role);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b py-2 sm:min-h-12">
      <div className="min-w-0 grow basis-full sm:basis-0">
        <p className="font-medium [overflow-wrap:anywhere]">
          {name ?? email}
          {isMe ? <span className="ml-1.5 font-normal text-faint">you</span> : null}
        </p>
        <p className="text-small text-muted [overflow-wrap:anywhere]">
          {name ? <>{email} · </> : null} joined <Timestamp at={createdAt} />
        </p>
      </div>
      {me.role === 'owner' && !isMe ? (
        <Select
          aria-label={`Role of ${name ?? email}`}
          look="quiet"
          className="w-28"
          options={roleOptions}
          value={role}
          onValueChange={(chosen) => chosen !== role && onRole(chosen)}
        />
      ) : (
        <span className="w-28 text-muted sm:px-2.5">{roleWords[role].label}</span>
      )}
      <span className="flex w-24 max-sm:grow max-sm:justify-end sm:justify-end">
        {isMe ? (
          <Button variant="ghost" onClick={onLeave}>
            Leave…
          </Button>
        ) : mayRemove ? (
          <Button variant="ghost" aria-label={`Remove ${name ?? email}…`} onClick={onRemove}>
            Remove…
          </Button>
        ) : null}
      </span>
    </li>
  );
}
