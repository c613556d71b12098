import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { NoInput, publicProcedure, router, teamProcedure } from '@/server/trpc/procedures';
import { confirmRecipient } from './confirmations/confirm-recipient';
import { getConfirmation } from './confirmations/get-confirmation';
import { resendConfirmation } from './confirmations/resend-confirmation';
import { createChannel } from './create-channel';
import { deleteChannel } from './delete-channel';
import { pushPublicKey } from './providers/web-push/keys';
import { listChannels, listDeliveries, readChannel, readDeliveryDetail } from './queries';
import { replayDeliveries, replayDelivery } from './replay/replay-deliveries';
import { endPreviousSecret, rotateSecret } from './rotate-secret';
import { readGrouping, updateGrouping } from './rules/alert-grouping';
import { readRules, updateRules } from './rules/update-rules';
import {
  AlertGrouping,
  Channel,
  ChannelDraft,
  ChannelId,
  ChannelRules,
  ChannelTemplates,
  ConfirmationView,
  CreateChannelInput,
  Delivery,
  DeliveryDetail,
  DeliveryId,
  ListDeliveriesInput,
  MessagePreview,
  PreviewMessageInput,
  ReplayDeliveriesInput,
  ReplayedDeliveries,
  RotateSecretInput,
  SetFallbackInput,
  SetTemplatesInput,
  TeamFallback,
  TestDelivery,
  TestResult,
  UpdateChannelInput,
  UpdateRulesInput,
} from './schema';
import { readTeamFallback, setFallback, setTeamFallback } from './set-fallback';
import { previewMessage } from './templates/preview-message';
import { readTemplates, setTemplates } from './templates/set-templates';
import { testChannel } from './test-channel';
import { testSettings } from './test-settings';
import { updateChannel } from './update-channel';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
const write = teamProcedure({ role: 'member', scope: 'write' });
/** Members only, because requests and responses may quote data that viewers cannot see elsewhere. */
const readExchanges = teamProcedure({ role: 'member', scope: 'read' });

const tags = ['Notification channels'];
const all = '/api/v1/channels';
const one = '/api/v1/channels/{id}';
const oneDelivery = `${one}/deliveries/{deliveryId}` as const;
/** The address of an operation that is also part of the dashboard's REST API. */
const alsoAt = <const P extends string>(path: P) => ({
  path: `/dashboard/notification-channels${path}` as const,
  tags,
});
const teamFallback = '/api/v1/team/fallback-channel';
const confirmation = '/auth/channel-confirmation/{token}';
const One = z.object({ channel: Channel });
const grouping = '/api/v1/team/alert-grouping';
const Grouping = z.object({ grouping: AlertGrouping });
const Rules = z.object({ rules: ChannelRules });
const Templates = z.object({ templates: ChannelTemplates });
const ConfirmationToken = z.strictObject({ token: z.string() });

export const notificationsRouter = router({
  list: read
    .meta({ openapi: { method: 'GET', path: all, tags, summary: 'List notification channels' }, alsoAt: alsoAt('') })
    .input(IdPage)
    .output(z.object({ channels: z.array(Channel), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listChannels({ ctx, input })),
  get: read
    .meta({
      openapi: { method: 'GET', path: one, tags, summary: 'Get a notification channel' },
      alsoAt: alsoAt('/{id}'),
    })
    .input(ChannelId)
    .output(One)
    .query(async ({ ctx, input }) => ({ channel: await readChannel({ ctx, input }) })),
  create: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: all, tags, summary: 'Create a notification channel' },
      alsoAt: alsoAt(''),
      created: true,
    })
    .input(CreateChannelInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await createChannel({ ctx, input }) })),
  update: write
    .meta({
      errors: ['EDIT_CONFLICT'],
      openapi: { method: 'PUT', path: one, tags, summary: 'Update a notification channel' },
      alsoAt: alsoAt('/{id}'),
    })
    .input(UpdateChannelInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await updateChannel({ ctx, input }) })),
  delete: write
    .meta({
      openapi: { method: 'DELETE', path: one, tags, summary: 'Delete a notification channel' },
      alsoAt: alsoAt('/{id}'),
    })
    .input(ChannelId)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteChannel({ ctx, input })),
  test: write
    .meta({
      openapi: { method: 'POST', path: `${one}/test`, tags, summary: 'Send a test message' },
      alsoAt: alsoAt('/{id}/test'),
    })
    .input(ChannelId)
    .output(TestDelivery)
    .mutation(({ ctx, input }) => testChannel({ ctx, input })),
  testSettings: write
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'POST', path: `${all}/test`, tags, summary: 'Send a test message with unsaved settings' },
    })
    .input(ChannelDraft)
    .output(z.object({ result: TestResult }))
    .mutation(async ({ ctx, input }) => ({ result: await testSettings({ ctx, input }) })),
  pushKey: read
    .meta({ openapi: { method: 'GET', path: '/dashboard/push-key', tags, summary: 'Get the key for browser push' } })
    .input(NoInput)
    .output(z.object({ publicKey: z.string() }))
    .query(() => ({ publicKey: pushPublicKey() })),
  preview: write
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'POST', path: `${all}/preview`, tags, summary: 'Preview a message' },
      changesNothing: true,
      alsoAt: alsoAt('/preview'),
    })
    .input(PreviewMessageInput)
    .output(z.object({ preview: MessagePreview }))
    .mutation(async ({ ctx, input }) => ({ preview: await previewMessage({ ctx, input }) })),
  templates: router({
    get: read
      .meta({
        openapi: { method: 'GET', path: `${one}/templates`, tags, summary: "List a channel's templates" },
        alsoAt: alsoAt('/{id}/templates'),
      })
      .input(ChannelId)
      .output(Templates)
      .query(async ({ ctx, input }) => ({ templates: await readTemplates({ ctx, input }) })),
    set: write
      .meta({
        openapi: { method: 'PUT', path: `${one}/templates`, tags, summary: "Replace a channel's templates" },
        alsoAt: alsoAt('/{id}/templates'),
      })
      .input(SetTemplatesInput)
      .output(Templates)
      .mutation(async ({ ctx, input }) => ({ templates: await setTemplates({ ctx, input }) })),
  }),
  delivery: readExchanges
    .meta({
      openapi: { method: 'GET', path: oneDelivery, tags, summary: 'Get a delivery with its requests and responses' },
    })
    .input(DeliveryId)
    .output(z.object({ delivery: DeliveryDetail }))
    .query(async ({ ctx, input }) => ({ delivery: await readDeliveryDetail({ ctx, input }) })),
  replay: write
    .meta({ openapi: { method: 'POST', path: `${oneDelivery}/replay`, tags, summary: 'Replay a delivery' } })
    .input(DeliveryId)
    .output(z.object({ delivery: Delivery }))
    .mutation(async ({ ctx, input }) => ({ delivery: await replayDelivery({ ctx, input }) })),
  replayFailed: write
    .meta({
      openapi: {
        method: 'POST',
        path: `${one}/deliveries/replay`,
        tags,
        summary: 'Replay the deliveries of a span',
      },
    })
    .input(ReplayDeliveriesInput)
    .output(ReplayedDeliveries)
    .mutation(({ ctx, input }) => replayDeliveries({ ctx, input })),
  rotateSecret: write
    .meta({ openapi: { method: 'POST', path: `${one}/rotate-secret`, tags, summary: 'Rotate the signing secret' } })
    .input(RotateSecretInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await rotateSecret({ ctx, input }) })),
  endPreviousSecret: write
    .meta({
      openapi: { method: 'DELETE', path: `${one}/previous-secret`, tags, summary: 'End the former signing secret' },
    })
    .input(ChannelId)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await endPreviousSecret({ ctx, input }) })),
  setFallback: write
    .meta({ openapi: { method: 'PUT', path: `${one}/fallback`, tags, summary: "Choose a channel's fallback" } })
    .input(SetFallbackInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await setFallback({ ctx, input }) })),
  teamFallback: router({
    get: read
      .meta({ openapi: { method: 'GET', path: teamFallback, tags, summary: "Get the team's fallback channel" } })
      .input(NoInput)
      .output(TeamFallback)
      .query(({ ctx }) => readTeamFallback(ctx)),
    set: teamProcedure({ role: 'admin', scope: 'write' })
      .meta({ openapi: { method: 'PUT', path: teamFallback, tags, summary: "Choose the team's fallback channel" } })
      .input(TeamFallback)
      .output(TeamFallback)
      .mutation(({ ctx, input }) => setTeamFallback({ ctx, input })),
  }),
  rules: router({
    get: read
      .meta({ openapi: { method: 'GET', path: `${one}/rules`, tags, summary: "Get a channel's alert rules" } })
      .input(ChannelId)
      .output(Rules)
      .query(async ({ ctx, input }) => ({ rules: await readRules({ ctx, input }) })),
    update: write
      .meta({ openapi: { method: 'PATCH', path: `${one}/rules`, tags, summary: "Update a channel's alert rules" } })
      .input(UpdateRulesInput)
      .output(Rules)
      .mutation(async ({ ctx, input }) => ({ rules: await updateRules({ ctx, input }) })),
  }),
  grouping: router({
    get: read
      .meta({ openapi: { method: 'GET', path: grouping, tags, summary: 'Get alert grouping' } })
      .input(NoInput)
      .output(Grouping)
      .query(async ({ ctx }) => ({ grouping: await readGrouping({ ctx }) })),
    update: teamProcedure({ role: 'admin', scope: 'write' })
      .meta({ openapi: { method: 'PATCH', path: grouping, tags, summary: 'Update alert grouping' } })
      .input(AlertGrouping)
      .output(Grouping)
      .mutation(async ({ ctx, input }) => ({ grouping: await updateGrouping({ ctx, input }) })),
  }),
  resendConfirmation: write
    .meta({
      errors: ['NOT_FOUND'],
      openapi: {
        method: 'POST',
        path: `${one}/resend-confirmation`,
        tags,
        summary: 'Resend the confirmation of an email channel',
      },
      alsoAt: alsoAt('/{id}/resend-confirmation'),
    })
    .input(ChannelId)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await resendConfirmation({ ctx, input }) })),
  getConfirmation: publicProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'GET', path: confirmation, tags, summary: 'Get an email confirmation' },
    })
    .input(ConfirmationToken)
    .output(z.object({ confirmation: ConfirmationView }))
    .query(async ({ ctx, input }) => ({ confirmation: await getConfirmation({ ctx, input }) })),
  confirmRecipient: publicProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'POST', path: confirmation, tags, summary: 'Confirm an email address' },
      limit: 'auth',
    })
    .input(ConfirmationToken)
    .output(z.object({ confirmation: ConfirmationView }))
    .mutation(async ({ ctx, input }) => ({ confirmation: await confirmRecipient({ ctx, input }) })),
  deliveries: read
    .meta({
      openapi: { method: 'GET', path: `${one}/deliveries`, tags, summary: "List a channel's deliveries" },
      alsoAt: alsoAt('/{id}/deliveries'),
    })
    .input(ListDeliveriesInput)
    .output(z.object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listDeliveries(ctx.db, ctx.team.id, input)),
});
