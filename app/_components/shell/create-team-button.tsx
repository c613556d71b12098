'use client';

import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { lazyPart } from '@/app/_components/ui/lazy-part';

// Loaded when it is opened for the first time: the form needs more code than the rest of the frame.
const CreateTeamDialog = lazyPart(() => import('./create-team-dialog').then((module) => module.CreateTeamDialog));

/** Creates a team, for users without one. */
export function CreateTeamButton() {
  const [creating, setCreating] = useState<boolean | null>(null);
  return (
    <>
      <Button variant="primary" onClick={() => setCreating(true)}>
        <Icon name="plus" />
        Create a team
      </Button>
      {creating === null ? null : <CreateTeamDialog open={creating} onClose={() => setCreating(false)} />}
    </>
  );
}
