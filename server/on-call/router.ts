import { z } from 'zod';
import { ExternalIdPage } from '@/server/lists/schema';
import { createContactMethod } from '@/server/notifications/contact-methods/create-contact-method';
import { listContactMethods } from '@/server/notifications/contact-methods/list-contact-methods';
import { reorderContactMethods } from '@/server/notifications/contact-methods/reorder-contact-methods';
import { updateContactMethod } from '@/server/notifications/contact-methods/update-contact-method';
import { deleteChannel } from '@/server/notifications/delete-channel';
import {
  ChannelId,
  ContactMethod,
  ContactMethodDraft,
  CreateContactMethodInput,
  ReorderContactMethodsInput,
  TestDelivery,
  TestResult,
  UpdateContactMethodInput,
} from '@/server/notifications/schema';
import { testChannel } from '@/server/notifications/test-channel';
import { testSettings } from '@/server/notifications/test-settings';
import { NoInput, operations, router, teamProcedure } from '@/server/trpc/procedures';
import { createOverride } from './create-override';
import { createPolicy } from './create-policy';
import { createSchedule } from './create-schedule';
import { deleteOverride } from './delete-override';
import { deletePolicy } from './delete-policy';
import { deleteSchedule } from './delete-schedule';
import { listOnCall } from './list-on-call';
import { listReachable } from './list-reachable';
import { listSchedules } from './list-schedules';
import { listPolicies, readStoredPolicy, withWarnings } from './policy-queries';
import { readSchedule } from './queries';
import { readTimeline } from './read-timeline';
import {
  CreateOverrideInput,
  CreatePolicyInput,
  CreateScheduleInput,
  DeleteOverrideInput,
  EscalationPolicy,
  ListPoliciesInput,
  OnCall,
  OnCallInput,
  Override,
  Reachable,
  Schedule,
  Timeline,
  TimelineInput,
  UpdateOverrideInput,
  UpdatePolicyInput,
  UpdateScheduleInput,
} from './schema';
import { updateOverride } from './update-override';
import { updatePolicy } from './update-policy';
import { updateSchedule } from './update-schedule';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
const readOwn = teamProcedure({ role: 'viewer', scope: 'read', isPersonal: true });
// Viewers too, because they can be on call and choose their own contact methods.
const writeOwn = teamProcedure({ role: 'viewer', scope: 'write', isPersonal: true });
const cover = teamProcedure({ role: 'member', scope: 'write' });
const write = teamProcedure({ role: 'admin', scope: 'write' });

const rest = operations('On-call');
const ById = z.strictObject({ id: z.string() });
const Ok = z.object({ ok: z.literal(true) });

const methods = '/api/v1/me/contact-methods';
const OneMethod = z.object({ contactMethod: ContactMethod });
const AllMethods = z.object({ contactMethods: z.array(ContactMethod) });

/** The caller's own contact methods. */
export const contactMethodsRouter = router({
  list: readOwn
    .meta(rest('GET', methods, 'List your contact methods'))
    .input(NoInput)
    .output(AllMethods)
    .query(async ({ ctx }) => ({ contactMethods: await listContactMethods(ctx.db, ctx) })),
  create: writeOwn
    .meta(rest('POST', methods, 'Create a contact method', { errors: ['PLAN_LIMIT_REACHED'], created: true }))
    .input(CreateContactMethodInput)
    .output(OneMethod)
    .mutation(async ({ ctx, input }) => ({ contactMethod: await createContactMethod({ ctx, input }) })),
  reorder: writeOwn
    .meta(rest('PUT', `${methods}/order`, 'Reorder your contact methods'))
    .input(ReorderContactMethodsInput)
    .output(AllMethods)
    .mutation(async ({ ctx, input }) => ({ contactMethods: await reorderContactMethods({ ctx, input }) })),
  update: writeOwn
    .meta(rest('PUT', `${methods}/{id}`, 'Update a contact method', { errors: ['EDIT_CONFLICT'] }))
    .input(UpdateContactMethodInput)
    .output(OneMethod)
    .mutation(async ({ ctx, input }) => ({ contactMethod: await updateContactMethod({ ctx, input }) })),
  delete: writeOwn
    .meta(rest('DELETE', `${methods}/{id}`, 'Delete a contact method'))
    .input(ChannelId)
    .output(Ok)
    .mutation(({ ctx, input }) => deleteChannel({ ctx, input }, ctx.user.id)),
  test: writeOwn
    .meta(rest('POST', `${methods}/{id}/test`, 'Test a contact method'))
    .input(ChannelId)
    .output(TestDelivery)
    .mutation(({ ctx, input }) => testChannel({ ctx, input }, ctx.user.id)),
  testSettings: writeOwn
    .meta(rest('POST', `${methods}/test`, 'Test a contact method with unsaved settings', { errors: ['NOT_FOUND'] }))
    .input(ContactMethodDraft)
    .output(z.object({ result: TestResult }))
    .mutation(async ({ ctx, input }) => ({ result: await testSettings({ ctx, input }, ctx.user.id) })),
});

const schedules = '/api/v1/on-call/schedules';
const oneSchedule = '/api/v1/on-call/schedules/{id}';
const oneOverride = '/api/v1/on-call/schedules/{id}/overrides/{overrideId}';
const OneSchedule = z.object({ schedule: Schedule });

/** Who is on call when. */
export const onCallRouter = router({
  now: read
    .meta(rest('GET', '/api/v1/on-call', 'Get who is on call'))
    .input(OnCallInput)
    .output(z.object({ onCall: z.array(OnCall) }))
    .query(async ({ ctx, input }) => ({ onCall: await listOnCall(ctx.db, ctx.team.id, input) })),
  reachable: read
    .meta(rest('GET', '/api/v1/on-call/people', 'List how members are reached'))
    .input(NoInput)
    .output(z.object({ people: z.array(Reachable) }))
    .query(async ({ ctx }) => ({ people: await listReachable(ctx.db, ctx.team.id) })),
  list: read
    .meta(rest('GET', schedules, 'List on-call schedules'))
    .input(ExternalIdPage)
    .output(z.object({ schedules: z.array(Schedule), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listSchedules(ctx.db, ctx.team.id, input)),
  get: read
    .meta(rest('GET', oneSchedule, 'Get an on-call schedule'))
    .input(ById)
    .output(OneSchedule)
    .query(async ({ ctx, input }) => ({ schedule: await readSchedule(ctx.db, ctx.team.id, input.id) })),
  timeline: read
    .meta(rest('GET', `${oneSchedule}/timeline`, 'Get the timeline of a schedule'))
    .input(TimelineInput)
    .output(z.object({ timeline: Timeline }))
    .query(async ({ ctx, input }) => ({ timeline: await readTimeline(ctx.db, ctx.team.id, input) })),
  create: write
    .meta(rest('POST', schedules, 'Create an on-call schedule', { errors: ['PLAN_LIMIT_REACHED'], created: true }))
    .input(CreateScheduleInput)
    .output(OneSchedule)
    .mutation(async ({ ctx, input }) => ({ schedule: await createSchedule({ ctx, input }) })),
  update: write
    .meta(rest('PUT', oneSchedule, 'Update an on-call schedule', { errors: ['EDIT_CONFLICT'] }))
    .input(UpdateScheduleInput)
    .output(OneSchedule)
    .mutation(async ({ ctx, input }) => ({ schedule: await updateSchedule({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', oneSchedule, 'Delete an on-call schedule'))
    .input(ById)
    .output(Ok)
    .mutation(({ ctx, input }) => deleteSchedule({ ctx, input })),
  createOverride: cover
    .meta(
      rest('POST', `${oneSchedule}/overrides`, 'Create an override', { errors: ['PLAN_LIMIT_REACHED'], created: true }),
    )
    .input(CreateOverrideInput)
    .output(z.object({ override: Override }))
    .mutation(async ({ ctx, input }) => ({ override: await createOverride({ ctx, input }) })),
  updateOverride: cover
    .meta(rest('PATCH', oneOverride, 'Update an override'))
    .input(UpdateOverrideInput)
    .output(z.object({ override: Override }))
    .mutation(async ({ ctx, input }) => ({ override: await updateOverride({ ctx, input }) })),
  deleteOverride: cover
    .meta(rest('DELETE', oneOverride, 'Delete an override'))
    .input(DeleteOverrideInput)
    .output(Ok)
    .mutation(({ ctx, input }) => deleteOverride({ ctx, input })),
});

const policies = '/api/v1/escalation-policies';
const onePolicy = '/api/v1/escalation-policies/{id}';
const OnePolicy = z.object({ escalationPolicy: EscalationPolicy });

/** Policies that determine who is notified of an incident step by step. */
export const escalationPoliciesRouter = router({
  list: read
    .meta(rest('GET', policies, 'List escalation policies'))
    .input(ListPoliciesInput)
    .output(z.object({ escalationPolicies: z.array(EscalationPolicy), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listPolicies(ctx.db, ctx.team.id, input)),
  get: read
    .meta(rest('GET', onePolicy, 'Get an escalation policy'))
    .input(ById)
    .output(OnePolicy)
    .query(async ({ ctx, input }) => {
      const policy = await readStoredPolicy(ctx.db, ctx.team.id, input.id);
      return { escalationPolicy: await withWarnings(ctx.db, policy) };
    }),
  create: write
    .meta(rest('POST', policies, 'Create an escalation policy', { errors: ['PLAN_LIMIT_REACHED'], created: true }))
    .input(CreatePolicyInput)
    .output(OnePolicy)
    .mutation(async ({ ctx, input }) => ({ escalationPolicy: await createPolicy({ ctx, input }) })),
  update: write
    .meta(rest('PUT', onePolicy, 'Update an escalation policy', { errors: ['EDIT_CONFLICT'] }))
    .input(UpdatePolicyInput)
    .output(OnePolicy)
    .mutation(async ({ ctx, input }) => ({ escalationPolicy: await updatePolicy({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', onePolicy, 'Delete an escalation policy'))
    .input(ById)
    .output(Ok)
    .mutation(({ ctx, input }) => deletePolicy({ ctx, input })),
});
