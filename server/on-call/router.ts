import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
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
import { NoInput, router, teamProcedure } from '@/server/trpc/procedures';
import { createOverride } from './create-override';
import { createPolicy } from './create-policy';
import { createSchedule } from './create-schedule';
import { deleteOverride } from './delete-override';
import { deletePolicy } from './delete-policy';
import { deleteSchedule } from './delete-schedule';
import { listOnCall } from './list-on-call';
import { listReachable } from './list-reachable';
import { listSchedules } from './list-schedules';
import { listPolicies, readPolicy } from './policy-queries';
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

const tags = ['On-call'];
const ById = z.strictObject({ id: z.string() });
const Ok = z.object({ ok: z.literal(true) });

const methods = '/api/v1/me/contact-methods';
const OneMethod = z.object({ contactMethod: ContactMethod });
const AllMethods = z.object({ contactMethods: z.array(ContactMethod) });

/** The caller's own contact methods. */
export const contactMethodsRouter = router({
  list: readOwn
    .meta({ openapi: { method: 'GET', path: methods, tags, summary: 'List your contact methods' } })
    .input(NoInput)
    .output(AllMethods)
    .query(async ({ ctx }) => ({ contactMethods: await listContactMethods(ctx.db, ctx) })),
  create: writeOwn
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: methods, tags, summary: 'Create a contact method' },
      created: true,
    })
    .input(CreateContactMethodInput)
    .output(OneMethod)
    .mutation(async ({ ctx, input }) => ({ contactMethod: await createContactMethod({ ctx, input }) })),
  reorder: writeOwn
    .meta({ openapi: { method: 'PUT', path: `${methods}/order`, tags, summary: 'Reorder your contact methods' } })
    .input(ReorderContactMethodsInput)
    .output(AllMethods)
    .mutation(async ({ ctx, input }) => ({ contactMethods: await reorderContactMethods({ ctx, input }) })),
  update: writeOwn
    .meta({
      errors: ['EDIT_CONFLICT'],
      openapi: { method: 'PUT', path: `${methods}/{id}`, tags, summary: 'Update a contact method' },
    })
    .input(UpdateContactMethodInput)
    .output(OneMethod)
    .mutation(async ({ ctx, input }) => ({ contactMethod: await updateContactMethod({ ctx, input }) })),
  delete: writeOwn
    .meta({ openapi: { method: 'DELETE', path: `${methods}/{id}`, tags, summary: 'Delete a contact method' } })
    .input(ChannelId)
    .output(Ok)
    .mutation(({ ctx, input }) => deleteChannel({ ctx, input }, ctx.user.id)),
  test: writeOwn
    .meta({ openapi: { method: 'POST', path: `${methods}/{id}/test`, tags, summary: 'Test a contact method' } })
    .input(ChannelId)
    .output(TestDelivery)
    .mutation(({ ctx, input }) => testChannel({ ctx, input }, ctx.user.id)),
  testSettings: writeOwn
    .meta({
      errors: ['NOT_FOUND'],
      openapi: {
        method: 'POST',
        path: `${methods}/test`,
        tags,
        summary: 'Test a contact method with unsaved settings',
      },
    })
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
    .meta({ openapi: { method: 'GET', path: '/api/v1/on-call', tags, summary: 'Get who is on call' } })
    .input(OnCallInput)
    .output(z.object({ onCall: z.array(OnCall) }))
    .query(async ({ ctx, input }) => ({ onCall: await listOnCall(ctx.db, ctx.team.id, input) })),
  reachable: read
    .meta({
      openapi: { method: 'GET', path: '/api/v1/on-call/people', tags, summary: 'List how members are reached' },
    })
    .input(NoInput)
    .output(z.object({ people: z.array(Reachable) }))
    .query(async ({ ctx }) => ({ people: await listReachable(ctx.db, ctx.team.id) })),
  list: read
    .meta({ openapi: { method: 'GET', path: schedules, tags, summary: 'List on-call schedules' } })
    .input(IdPage)
    .output(z.object({ schedules: z.array(Schedule), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listSchedules(ctx.db, ctx.team.id, input)),
  get: read
    .meta({ openapi: { method: 'GET', path: oneSchedule, tags, summary: 'Get an on-call schedule' } })
    .input(ById)
    .output(OneSchedule)
    .query(async ({ ctx, input }) => ({ schedule: await readSchedule(ctx.db, ctx.team.id, input.id) })),
  timeline: read
    .meta({
      openapi: { method: 'GET', path: `${oneSchedule}/timeline`, tags, summary: 'Get the timeline of a schedule' },
    })
    .input(TimelineInput)
    .output(z.object({ timeline: Timeline }))
    .query(async ({ ctx, input }) => ({ timeline: await readTimeline(ctx.db, ctx.team.id, input) })),
  create: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: schedules, tags, summary: 'Create an on-call schedule' },
      created: true,
    })
    .input(CreateScheduleInput)
    .output(OneSchedule)
    .mutation(async ({ ctx, input }) => ({ schedule: await createSchedule({ ctx, input }) })),
  update: write
    .meta({
      errors: ['EDIT_CONFLICT'],
      openapi: { method: 'PUT', path: oneSchedule, tags, summary: 'Update an on-call schedule' },
    })
    .input(UpdateScheduleInput)
    .output(OneSchedule)
    .mutation(async ({ ctx, input }) => ({ schedule: await updateSchedule({ ctx, input }) })),
  delete: write
    .meta({ openapi: { method: 'DELETE', path: oneSchedule, tags, summary: 'Delete an on-call schedule' } })
    .input(ById)
    .output(Ok)
    .mutation(({ ctx, input }) => deleteSchedule({ ctx, input })),
  createOverride: cover
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: `${oneSchedule}/overrides`, tags, summary: 'Create an override' },
      created: true,
    })
    .input(CreateOverrideInput)
    .output(z.object({ override: Override }))
    .mutation(async ({ ctx, input }) => ({ override: await createOverride({ ctx, input }) })),
  updateOverride: cover
    .meta({ openapi: { method: 'PATCH', path: oneOverride, tags, summary: 'Update an override' } })
    .input(UpdateOverrideInput)
    .output(z.object({ override: Override }))
    .mutation(async ({ ctx, input }) => ({ override: await updateOverride({ ctx, input }) })),
  deleteOverride: cover
    .meta({ openapi: { method: 'DELETE', path: oneOverride, tags, summary: 'Delete an override' } })
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
    .meta({ openapi: { method: 'GET', path: policies, tags, summary: 'List escalation policies' } })
    .input(ListPoliciesInput)
    .output(z.object({ escalationPolicies: z.array(EscalationPolicy), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listPolicies(ctx.db, ctx.team.id, input)),
  get: read
    .meta({ openapi: { method: 'GET', path: onePolicy, tags, summary: 'Get an escalation policy' } })
    .input(ById)
    .output(OnePolicy)
    .query(async ({ ctx, input }) => ({ escalationPolicy: await readPolicy(ctx.db, ctx.team.id, input.id) })),
  create: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: policies, tags, summary: 'Create an escalation policy' },
      created: true,
    })
    .input(CreatePolicyInput)
    .output(OnePolicy)
    .mutation(async ({ ctx, input }) => ({ escalationPolicy: await createPolicy({ ctx, input }) })),
  update: write
    .meta({
      errors: ['EDIT_CONFLICT'],
      openapi: { method: 'PUT', path: onePolicy, tags, summary: 'Update an escalation policy' },
    })
    .input(UpdatePolicyInput)
    .output(OnePolicy)
    .mutation(async ({ ctx, input }) => ({ escalationPolicy: await updatePolicy({ ctx, input }) })),
  delete: write
    .meta({ openapi: { method: 'DELETE', path: onePolicy, tags, summary: 'Delete an escalation policy' } })
    .input(ById)
    .output(Ok)
    .mutation(({ ctx, input }) => deletePolicy({ ctx, input })),
});
