'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { FailedQuery } from '@/app/_components/failed-query';
import { type Use, UsedBy, usePoliciesNaming, usesText } from '@/app/_components/on-call/used-by';
import { Section } from '@/app/_components/page';
import { toast } from '@/app/_components/toast/toast';
import { AlertDialog } from '@/app/_components/ui/alert-dialog';
import { Button } from '@/app/_components/ui/button';
import { Empty } from '@/app/_components/ui/empty';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import { CallbackUrl } from '@/app/(dashboard)/(team)/channels/_components/callback-url';
import { ChannelForm } from '@/app/(dashboard)/(team)/channels/_components/channel-form';
import { ChannelStateLabel } from '@/app/(dashboard)/(team)/channels/_components/channel-state';
import { destinationOf } from '@/app/(dashboard)/(team)/channels/_components/destination';
import {
  type ChannelType,
  type ContactMethod,
  channelDefinitionOf,
  contactMethodTypes,
} from '@/server/notifications/schema';
import type { EscalationPolicy } from '@/server/on-call/schema';

const typeOptions = contactMethodTypes.map((type) => ({ value: type, label: channelDefinitionOf(type).label }));

const delays = [0, 1, 2, 3, 5, 10, 15, 30, 60, 120].map((minutes) => {
  return { value: String(minutes), label: minutes === 0 ? 'At once' : `After ${minutes} min` };
});

/** The user's contact methods: where and when escalations reach them. */
export function ContactMethodsView({
  initial,
  userId,
}: {
  userId: string;
  initial: { contactMethods: ContactMethod[] } | undefined;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<ContactMethod | ChannelType | null>(null);
  const query = useQuery(
    trpc.contactMethods.list.queryOptions(undefined, { ...(initial && { initialData: initial }) }),
  );
  const policies = usePoliciesNaming(userId);
  const changed = () => queryClient.invalidateQueries(trpc.contactMethods.pathFilter());
  const creating = useMutation(trpc.contactMethods.create.mutationOptions());
  const updating = useMutation(trpc.contactMethods.update.mutationOptions());
  const form = useRef<HTMLDivElement>(null);
  // Choosing a type removes the focused element of the list.
  useEffect(() => {
    if (editing) form.current?.querySelector('input')?.focus();
  }, [editing]);
  const methods = query.data?.contactMethods;
  if (!methods) {
    if (query.isPending) return <RowsLoading label="Loading contact methods" />;
    return <FailedQuery query={query} title="Could not load your contact methods" />;
  }
  const edited = typeof editing === 'string' ? undefined : (editing ?? undefined);
  const type = typeof editing === 'string' ? editing : edited?.type;
  return (
    <div className="max-w-[640px]">
      <Section title="Contact methods" note="in this team">
        <p className="mb-4 text-muted">
          How escalations reach you: by the first method immediately, by the others after their delay, until somebody
          acknowledges. Only you see them.
        </p>
        {methods.length === 0 ? (
          <Empty title="No contact methods yet">
            Until you add one, escalations are sent to the email address of your account, if the instance sends email.
          </Empty>
        ) : (
          <MethodList methods={methods} policies={policies ?? []} onEdit={setEditing} onChanged={changed} />
        )}
        {type ? null : (
          <Field label="Add a contact method" className="mt-4">
            <Select
              options={[{ value: 'none' as never, label: 'Choose a type…', disabled: true }, ...typeOptions]}
              value={'none' as ChannelType}
              onValueChange={setEditing}
            />
          </Field>
        )}
      </Section>
      {methods.length > 0 ? (
        <UsedBy uses={policies && toPersonUses(policies)} nothing="No escalation policy reaches you." />
      ) : null}
      {type ? (
        <div ref={form} className="mt-8">
          <Section title={edited ? `Edit ${edited.name}` : `New ${channelDefinitionOf(type).label}`}>
            <ChannelForm
              key={edited?.id ?? type}
              type={type}
              {...(edited && { channel: edited })}
              isOwn
              onSave={async (input) => {
                if (edited) {
                  const { name, config } = input;
                  await updating.mutateAsync({ id: edited.id, name, config, ifUpdatedAt: edited.updatedAt });
                } else await creating.mutateAsync({ ...input, delayMinutes: 0 });
                toast(edited ? `Saved ${input.name}` : `Added ${input.name}`);
                void changed();
                setEditing(null);
              }}
            >
              <Button variant="ghost" onClick={() => setEditing(null)}>
                Discard
              </Button>
            </ChannelForm>
            {edited ? <CallbackUrl channel={edited} /> : null}
          </Section>
        </div>
      ) : null}
    </div>
  );
}

/** The policies that reach the user. Steps are omitted, because a person can also be reached through a schedule. */
function toPersonUses(policies: readonly EscalationPolicy[]): Use[] {
  return policies.map(({ id, name }) => ({ href: `/on-call/escalation-policies/${id}`, name, where: '' }));
}

/** What the deletion of a contact method means for the policies that reach the user. */
function withoutMethodText(policies: readonly EscalationPolicy[], isLast: boolean): string {
  const uses = usesText(toPersonUses(policies));
  if (!isLast) return `${uses} reach you by your other contact methods.`;
  return `${uses} then reach you by the email address of your account, if the instance sends email.`;
}

interface MethodListProps {
  methods: ContactMethod[];
  /** The escalation policies that reach the user. */
  policies: readonly EscalationPolicy[];
  onEdit: (method: ContactMethod) => void;
  onChanged: () => Promise<void>;
}

function MethodList({ methods, policies, onEdit, onChanged }: MethodListProps) {
  const trpc = useTRPC();
  const [removing, setRemoving] = useState<ContactMethod | null>(null);
  const failed = (error: unknown) => toast.error(readApiError(error).message);
  const updating = useMutation(trpc.contactMethods.update.mutationOptions({ onSuccess: onChanged, onError: failed }));
  const reordering = useMutation(
    trpc.contactMethods.reorder.mutationOptions({ onSuccess: onChanged, onError: failed }),
  );
  const testing = useMutation(
    trpc.contactMethods.test.mutationOptions({
      onSuccess: ({ delivery }) => {
        const error = delivery.attempts.at(-1)?.error;
        if (delivery.status === 'delivered') toast('The test was delivered');
        else toast.error(`The test failed: ${error ?? 'no answer'}`);
      },
      onError: failed,
    }),
  );
  const deleting = useMutation(
    trpc.contactMethods.delete.mutationOptions({
      onSuccess: () => {
        setRemoving(null);
        return onChanged();
      },
    }),
  );
  const ids = methods.map(({ id }) => id);
  const moveUp = (index: number) => {
    const [before = '', own = ''] = ids.slice(index - 1, index + 1);
    reordering.mutate({ ids: [...ids.slice(0, index - 1), own, before, ...ids.slice(index + 1)] });
  };
  return (
    <>
      <ol aria-label="Your contact methods" className="divide-y rounded-3 border">
        {methods.map((method, index) => (
          <li key={method.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
            <span className="grid min-w-0 flex-[1_1_180px]">
              <span className="font-medium">{method.name}</span>
              <span className="truncate text-small text-muted">
                {channelDefinitionOf(method.type).label}, {destinationOf(method)}
                {'confirmation' in method && method.confirmation === 'pending' ? ' (not confirmed yet)' : ''}
              </span>
            </span>
            <ChannelStateLabel channel={method} />
            {index === 0 ? (
              <span className="text-muted">At once</span>
            ) : (
              <Select
                look="quiet"
                aria-label={`Delay of ${method.name}`}
                options={delays}
                value={String(method.delayMinutes)}
                onValueChange={(minutes) => updating.mutate({ id: method.id, delayMinutes: Number(minutes) })}
              />
            )}
            <span className="flex gap-1">
              {index > 0 ? (
                <Button size="small" aria-label={`Move ${method.name} up`} onClick={() => moveUp(index)}>
                  Up
                </Button>
              ) : null}
              <Button
                size="small"
                aria-label={`Test ${method.name}`}
                busy={testing.isPending && testing.variables.id === method.id}
                onClick={() => testing.mutate({ id: method.id })}
              >
                Test
              </Button>
              <Button size="small" aria-label={`Edit ${method.name}`} onClick={() => onEdit(method)}>
                Edit
              </Button>
              <Button size="small" aria-label={`Delete ${method.name}`} onClick={() => setRemoving(method)}>
                Delete
              </Button>
            </span>
          </li>
        ))}
      </ol>
      <AlertDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Delete “${removing?.name}”?`}
        safe="Cancel"
        verb="Delete contact method"
        danger
        doing={deleting}
        onConfirm={() => removing && deleting.mutate({ id: removing.id })}
      >
        Escalations no longer reach you there. Pending messages to it are not sent.
        {policies.length > 0 ? ` ${withoutMethodText(policies, methods.length === 1)}` : null}
      </AlertDialog>
    </>
  );
}
