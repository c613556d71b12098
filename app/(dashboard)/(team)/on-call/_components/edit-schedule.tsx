'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEdit } from '@/app/_components/forms/use-edit';
import { NotLoaded } from '@/app/_components/not-loaded';
import { toast } from '@/app/_components/toast/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { CreateScheduleInput, Schedule } from '@/server/on-call/schema';
import { ScheduleForm } from './schedule-form';

/** Creates a schedule, or edits the schedule with this ID. */
export function EditSchedule({ id }: { id?: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.onCall.get.queryOptions({ id: id ?? '' }, { enabled: id !== undefined }));
  const schedule = query.data?.schedule;
  if (id === undefined) return <NewSchedule />;
  return schedule ? <EditOf schedule={schedule} /> : <NotLoaded query={query} noun="the schedule" />;
}

function NewSchedule() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const creating = useMutation(trpc.onCall.create.mutationOptions());
  return (
    <ScheduleForm
      onSave={async (input) => {
        const { schedule } = await creating.mutateAsync(input);
        void queryClient.invalidateQueries(trpc.onCall.pathFilter());
        toast(`Created ${schedule.name}`);
        router.push(`/on-call/schedules/${schedule.id}`);
      }}
    />
  );
}

function EditOf({ schedule }: { schedule: Schedule }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const updating = useMutation(trpc.onCall.update.mutationOptions());
  const { base, key, conflict, onSave, ...edit } = useEdit({
    latest: schedule,
    save: async (input: CreateScheduleInput, ifUpdatedAt) =>
      (await updating.mutateAsync({ id: schedule.id, ...input, ifUpdatedAt })).schedule,
    read: async () => {
      const options = trpc.onCall.get.queryOptions({ id: schedule.id }, { staleTime: 0 });
      return (await queryClient.fetchQuery(options)).schedule;
    },
    onSaved: ({ name }) => {
      toast(`Saved ${name}`);
      void queryClient.invalidateQueries(trpc.onCall.pathFilter());
      router.push(`/on-call/schedules/${schedule.id}`);
    },
  });
  return (
    <>
      <ScheduleForm key={key} schedule={base} edit={edit} onSave={onSave} />
      {conflict}
    </>
  );
}
