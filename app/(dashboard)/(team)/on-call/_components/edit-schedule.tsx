'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { FailedQuery } from '@/app/_components/failed-query';
import { useEdit } from '@/app/_components/forms/use-edit';
import { toast } from '@/app/_components/toast/toast';
import { RowsLoading } from '@/app/_components/ui/skeleton';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { CreateScheduleInput, Schedule } from '@/server/on-call/schema';
import { ScheduleForm } from './schedule-form';

/** Creates a schedule, or edits the schedule with this ID. */
export function EditSchedule({ id }: { id?: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.onCall.get.queryOptions({ id: id ?? '' }, { enabled: id !== undefined }));
  const schedule = query.data?.schedule;
  if (id === undefined) return <NewSchedule />;
  if (schedule) return <EditOf schedule={schedule} />;
  if (query.isPending) return <RowsLoading label="Loading the schedule" />;
  const { code, message } = readApiError(query.error);
  return <FailedQuery query={query} title={code === 'NOT_FOUND' ? message : 'Could not load the schedule'} />;
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
