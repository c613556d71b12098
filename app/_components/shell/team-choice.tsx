'use client';

import type { TeamSwitcherProps } from '@/app/_components/shell/team-switcher';
import { useSwitchTeam } from '@/app/_components/shell/use-switch-team';
import { Button } from '@/app/_components/ui/button';

/** Buttons to select a team, for a session without one. */
export function TeamChoice({ teams }: Pick<TeamSwitcherProps, 'teams'>) {
  const { switchTo, isSwitching } = useSwitchTeam();
  return (
    <div className="flex flex-wrap gap-2">
      {teams.map(({ id, name }) => (
        <Button key={id} busy={isSwitching} className="max-w-full" onClick={() => switchTo(id)}>
          <span className="truncate">Continue with {name}</span>
        </Button>
      ))}
    </div>
  );
}
