import { z } from 'zod';
import { createContactMethod } from '@/server/notifications/contact-methods/create-contact-method';
import { listContactMethods } from '@/server/notifications/contact-methods/list-contact-methods';
import { reorderContactMethods } from '@/server/notifications/contact-methods/reorder-contact-methods';
import { updateContactMethod } from '@/server/notifications/contact-methods/update-contact-method';
import { deleteChannel } from '@/server/notifications/delete-channel';
import {
  ChannelId,
  ContactMethod,
  CreateContactMethodInput,
  Delivery,
  ReorderContactMethodsInput,
  UpdateContactMethodInput,
} from '@/server/notifications/schema';
import { testChannel } from '@/server/notifications/test-channel';
import { NoInput, router, teamProcedure } from '@/server/trpc/procedures';

// A viewer can be on call too, and decides where to be reached.
const read = teamProcedure({ role: 'viewer', scope: 'read' });
const write = teamProcedure({ role: 'viewer', scope: 'write' });

const tags = ['On-call'];
const all = '/api/v1/me/contact-methods';
const one = '/api/v1/me/contact-methods/{id}';
const One = z.object({ contactMethod: ContactMethod });
const All = z.object({ contactMethods: z.array(ContactMethod) });

/** A member's own contact methods: every procedure is about the caller's. */
export const contactMethodsRouter = router({
  list: read
    .meta({ openapi: { method: 'GET', path: all, tags, summary: 'List your contact methods' } })
    .input(NoInput)
    .output(All)
    .query(async ({ ctx }) => ({ contactMethods: await listContactMethods(ctx.db, ctx) })),
  create: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: all, tags, summary: 'Create a contact method' },
      created: true,
    })
    .input(CreateContactMethodInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ contactMethod: await createContactMethod({ ctx, input }) })),
  reorder: write
    .meta({ openapi: { method: 'PUT', path: `${all}/order`, tags, summary: 'Reorder your contact methods' } })
    .input(ReorderContactMethodsInput)
    .output(All)
    .mutation(async ({ ctx, input }) => ({ contactMethods: await reorderContactMethods({ ctx, input }) })),
  update: write
    .meta({
      errors: ['EDIT_CONFLICT'],
      openapi: { method: 'PUT', path: one, tags, summary: 'Update a contact method' },
    })
    .input(UpdateContactMethodInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ contactMethod: await updateContactMethod({ ctx, input }) })),
  delete: write
    .meta({ openapi: { method: 'DELETE', path: one, tags, summary: 'Delete a contact method' } })
    .input(ChannelId)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteChannel({ ctx, input }, ctx.user.id)),
  test: write
    .meta({ openapi: { method: 'POST', path: `${one}/test`, tags, summary: 'Test a contact method' } })
    .input(ChannelId)
    .output(z.object({ delivery: Delivery }))
    .mutation(async ({ ctx, input }) => ({ delivery: await testChannel({ ctx, input }, ctx.user.id) })),
});
