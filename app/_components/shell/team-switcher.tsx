'use client';

import Link from 'next/link';
import { useState } from 'react';
import { useSwitchTeam } from '@/app/_components/shell/use-switch-team';
import { Button } from '@/app/_components/ui/button';
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuSeparator,
} from '@/app/_components/ui/dropdown-menu';
import { Icon } from '@/app/_components/ui/icon';
import { lazyPart } from '@/app/_components/ui/lazy-part';

// Loaded when it is opened for the first time: the form needs more code than the rest of the frame.
const CreateTeamDialog = lazyPart(() => import('./create-team-dialog').then((module) => module.CreateTeamDialog));

export interface TeamSwitcherProps {
  /** The current team; null without one. */
  teamId: string | null;
  teams: readonly { id: string; name: string }[];
}

/** The first letter of a team's name in a square, and the name. */
function TeamName({ name }: { name: string }) {
  return (
    <>
      <span
        aria-hidden="true"
        className="grid size-5 shrink-0 place-items-center rounded-[5px] bg-inverse text-[10px] leading-none font-semibold text-inverse-ink"
      >
        {[...name][0]?.toUpperCase()}
      </span>
      <span className="sr-only">Team:</span>
      <span className="truncate">{name}</span>
    </>
  );
}

/** The current team, with a menu to switch, create or configure a team. */
export function TeamSwitcher({ teamId, teams }: TeamSwitcherProps) {
  const { switchTo, isSwitching } = useSwitchTeam();
  const [creating, setCreating] = useState<boolean | null>(null);
  const team = teams.find(({ id }) => id === teamId);
  if (!team) return null;
  return (
    <>
      <DropdownMenu
        align="start"
        trigger={
          <Button variant="ghost" busy={isSwitching} className="min-w-0 shrink gap-2 px-2 text-ink">
            <TeamName name={team.name} />
            <Icon name="chevrons" small />
          </Button>
        }
      >
        <DropdownMenuRadioGroup
          label="Team"
          options={teams.map(({ id, name }) => ({ value: id, label: name }))}
          value={team.id}
          onValueChange={(id) => id !== team.id && switchTo(id)}
        />
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link href="/settings/team">
            <Icon name="settings" />
            Team settings
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem icon="plus" onSelect={() => setCreating(true)}>
          Create a team…
        </DropdownMenuItem>
      </DropdownMenu>
      {creating === null ? null : <CreateTeamDialog open={creating} onClose={() => setCreating(false)} />}
    </>
  );
}
