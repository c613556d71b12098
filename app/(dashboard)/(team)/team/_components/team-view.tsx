'use client';

import { useState } from 'react';
import { PageHead, Section } from '@/app/_components/page';
import { Button } from '@/app/_components/ui/button';
import { Icon } from '@/app/_components/ui/icon';
import { isStronger, type NewInvitation } from '@/server/teams/schema';
import { InvitationsList } from './invitations-list';
import { InviteDialog } from './invite-dialog';
import { LinkDialog } from './link-dialog';
import { MembersList, type MembersListProps } from './members-list';

/** The team page: members, and invitations for users who can invite. */
export function TeamView({ me, team, otherTeams }: MembersListProps) {
  const mayInvite = isStronger(me.role, 'member');
  const [inviting, setInviting] = useState(false);
  const [made, setMade] = useState<NewInvitation | null>(null);
  return (
    <>
      <PageHead title="Team" note={team.name}>
        {mayInvite ? (
          <Button variant="primary" onClick={() => setInviting(true)}>
            <Icon name="plus" />
            Invite member
          </Button>
        ) : null}
      </PageHead>
      <Section title="Members">
        <MembersList me={me} team={team} otherTeams={otherTeams} />
      </Section>
      {mayInvite ? (
        <Section title="Invitations">
          <InvitationsList myRole={me.role} onNewLink={setMade} />
          <InviteDialog
            open={inviting}
            myRole={me.role}
            onClose={() => setInviting(false)}
            onInvited={(invitation) => {
              setInviting(false);
              setMade(invitation);
            }}
          />
          <LinkDialog invitation={made} onClose={() => setMade(null)} />
        </Section>
      ) : null}
    </>
  );
}
