'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DeleteButton } from '@/app/_components/delete-button';
import { useEdit } from '@/app/_components/forms/use-edit';
import { ManagedByGit } from '@/app/_components/managed-by-git';
import { NotLoaded } from '@/app/_components/not-loaded';
import { PageHead } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { CreatePolicyInput, EscalationPolicy } from '@/server/on-call/schema';
import { deletedPolicyText, policyScopeText } from './on-call-words';
import { PolicyForm } from './policy-form';
import { PolicyMonitors } from './policy-monitors';
import { PolicyPreview } from './policy-preview';
import { PolicyWarnings } from './policy-warnings';

interface EditPolicyProps {
  id?: string;
  initial?: { escalationPolicy: EscalationPolicy } | undefined;
  canWrite: boolean;
}

/** Creates an escalation policy, or shows and edits the policy with this ID. */
export function EditPolicy({ id, initial, canWrite }: EditPolicyProps) {
  const trpc = useTRPC();
  const [isDeleting, setDeleting] = useState(false);
  const query = useQuery(
    trpc.escalationPolicies.get.queryOptions(
      { id: id ?? '' },
      { enabled: id !== undefined && !isDeleting, ...(initial && { initialData: initial }) },
    ),
  );
  const policy = query.data?.escalationPolicy;
  if (id === undefined) return <NewPolicy />;
  if (!policy) return <NotLoaded query={query} noun="the escalation policy" />;
  return (
    <>
      <PageHead title={policy.name} note={policyScopeText(policy)}>
        <ManagedByGit externalId={policy.externalId} />
        {canWrite ? <DeletePolicy policy={policy} onDeleting={setDeleting} /> : null}
      </PageHead>
      <PolicyWarnings warnings={policy.warnings} />
      {canWrite ? <EditOf policy={policy} /> : <PolicyPreview steps={policy.steps} repeat={policy.repeat} />}
      <PolicyMonitors policy={policy} />
    </>
  );
}

function DeletePolicy({ policy, onDeleting }: { policy: EscalationPolicy; onDeleting: (is: boolean) => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <DeleteButton
      name={policy.name}
      verb="Delete policy"
      remove={() => client.escalationPolicies.delete.mutate({ id: policy.id })}
      onDeleting={onDeleting}
      onDeleted={() => {
        void queryClient.invalidateQueries(trpc.escalationPolicies.list.pathFilter());
        router.push('/on-call/escalation-policies');
      }}
    >
      {deletedPolicyText(policy)}
    </DeleteButton>
  );
}

function NewPolicy() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const creating = useMutation(trpc.escalationPolicies.create.mutationOptions());
  return (
    <PolicyForm
      onSave={async (input) => {
        const { escalationPolicy } = await creating.mutateAsync(input);
        void queryClient.invalidateQueries(trpc.escalationPolicies.pathFilter());
        toast(`Created ${escalationPolicy.name}`);
        router.push('/on-call/escalation-policies');
      }}
    />
  );
}

function EditOf({ policy }: { policy: EscalationPolicy }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const updating = useMutation(trpc.escalationPolicies.update.mutationOptions());
  const { base, key, conflict, onSave, ...edit } = useEdit({
    latest: policy,
    save: async (input: CreatePolicyInput, ifUpdatedAt) =>
      (await updating.mutateAsync({ id: policy.id, ...input, ifUpdatedAt })).escalationPolicy,
    read: async () => {
      const options = trpc.escalationPolicies.get.queryOptions({ id: policy.id }, { staleTime: 0 });
      return (await queryClient.fetchQuery(options)).escalationPolicy;
    },
    onSaved: ({ name }) => {
      toast(`Saved ${name}`);
      void queryClient.invalidateQueries(trpc.escalationPolicies.pathFilter());
    },
  });
  return (
    <>
      <PolicyForm key={key} policy={base} edit={edit} onSave={onSave} />
      {conflict}
    </>
  );
}
