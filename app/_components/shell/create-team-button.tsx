'use client';

import { useState } from 'react';
import { CreateTeamDialog } from '@/app/_components/shell/create-team-dialog';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';

/** Creates a team, for users without one. */
export function CreateTeamButton() {
  const [creating, setCreating] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setCreating(true)}>
        <Icon name="plus" />
        Create a team
      </Button>
      <CreateTeamDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}
