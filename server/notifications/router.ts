import { z } from 'zod';
import { ExternalIdPage } from '@/server/lists/schema';
import { NoInput, operations, publicProcedure, router, teamProcedure } from '@/server/trpc/procedures';
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

const rest = operations('Notification channels');
const all = '/api/v1/channels';
const one = '/api/v1/channels/{id}';
const oneDelivery = `${one}/deliveries/{deliveryId}` as const;
/** The path under which the dashboard's REST API offers the same operation. */
const alsoAt = <const P extends string>(path: P) => `/dashboard/notification-channels${path}` as const;
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
    .meta(rest('GET', all, 'List notification channels', { alsoAt: alsoAt('') }))
    .input(ExternalIdPage)
    .output(z.object({ channels: z.array(Channel), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listChannels({ ctx, input })),
  get: read
    .meta(rest('GET', one, 'Get a notification channel', { alsoAt: alsoAt('/{id}') }))
    .input(ChannelId)
    .output(One)
    .query(async ({ ctx, input }) => ({ channel: await readChannel({ ctx, input }) })),
  create: write
    .meta(
      rest('POST', all, 'Create a notification channel', {
        errors: ['PLAN_LIMIT_REACHED'],
        alsoAt: alsoAt(''),
        created: true,
      }),
    )
    .input(CreateChannelInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await createChannel({ ctx, input }) })),
  update: write
    .meta(rest('PUT', one, 'Update a notification channel', { errors: ['EDIT_CONFLICT'], alsoAt: alsoAt('/{id}') }))
    .input(UpdateChannelInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await updateChannel({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', one, 'Delete a notification channel', { alsoAt: alsoAt('/{id}') }))
    .input(ChannelId)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteChannel({ ctx, input })),
  test: write
    .meta(rest('POST', `${one}/test`, 'Send a test message', { alsoAt: alsoAt('/{id}/test') }))
    .input(ChannelId)
    .output(TestDelivery)
    .mutation(({ ctx, input }) => testChannel({ ctx, input })),
  testSettings: write
    .meta(rest('POST', `${all}/test`, 'Send a test message with unsaved settings', { errors: ['NOT_FOUND'] }))
    .input(ChannelDraft)
    .output(z.object({ result: TestResult }))
    .mutation(async ({ ctx, input }) => ({ result: await testSettings({ ctx, input }) })),
  pushKey: read
    .meta(rest('GET', '/dashboard/push-key', 'Get the key for browser push'))
    .input(NoInput)
    .output(z.object({ publicKey: z.string() }))
    .query(() => ({ publicKey: pushPublicKey() })),
  preview: write
    .meta(
      rest('POST', `${all}/preview`, 'Preview a message', {
        errors: ['NOT_FOUND'],
        changesNothing: true,
        alsoAt: alsoAt('/preview'),
      }),
    )
    .input(PreviewMessageInput)
    .output(z.object({ preview: MessagePreview }))
    .mutation(async ({ ctx, input }) => ({ preview: await previewMessage({ ctx, input }) })),
  templates: router({
    get: read
      .meta(rest('GET', `${one}/templates`, "List a channel's templates", { alsoAt: alsoAt('/{id}/templates') }))
      .input(ChannelId)
      .output(Templates)
      .query(async ({ ctx, input }) => ({ templates: await readTemplates({ ctx, input }) })),
    set: write
      .meta(rest('PUT', `${one}/templates`, "Replace a channel's templates", { alsoAt: alsoAt('/{id}/templates') }))
      .input(SetTemplatesInput)
      .output(Templates)
      .mutation(async ({ ctx, input }) => ({ templates: await setTemplates({ ctx, input }) })),
  }),
  delivery: readExchanges
    .meta(rest('GET', oneDelivery, 'Get a delivery with its requests and responses'))
    .input(DeliveryId)
    .output(z.object({ delivery: DeliveryDetail }))
    .query(async ({ ctx, input }) => ({ delivery: await readDeliveryDetail({ ctx, input }) })),
  replay: write
    .meta(rest('POST', `${oneDelivery}/replay`, 'Replay a delivery'))
    .input(DeliveryId)
    .output(z.object({ delivery: Delivery }))
    .mutation(async ({ ctx, input }) => ({ delivery: await replayDelivery({ ctx, input }) })),
  replayFailed: write
    .meta(rest('POST', `${one}/deliveries/replay`, 'Replay the deliveries of a span'))
    .input(ReplayDeliveriesInput)
    .output(ReplayedDeliveries)
    .mutation(({ ctx, input }) => replayDeliveries({ ctx, input })),
  rotateSecret: write
    .meta(rest('POST', `${one}/rotate-secret`, 'Rotate the signing secret'))
    .input(RotateSecretInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await rotateSecret({ ctx, input }) })),
  endPreviousSecret: write
    .meta(rest('DELETE', `${one}/previous-secret`, 'End the former signing secret'))
    .input(ChannelId)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await endPreviousSecret({ ctx, input }) })),
  setFallback: write
    .meta(rest('PUT', `${one}/fallback`, "Choose a channel's fallback"))
    .input(SetFallbackInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await setFallback({ ctx, input }) })),
  teamFallback: router({
    get: read
      .meta(rest('GET', teamFallback, "Get the team's fallback channel"))
      .input(NoInput)
      .output(TeamFallback)
      .query(({ ctx }) => readTeamFallback(ctx)),
    set: teamProcedure({ role: 'admin', scope: 'write' })
      .meta(rest('PUT', teamFallback, "Choose the team's fallback channel"))
      .input(TeamFallback)
      .output(TeamFallback)
      .mutation(({ ctx, input }) => setTeamFallback({ ctx, input })),
  }),
  rules: router({
    get: read
      .meta(rest('GET', `${one}/rules`, "Get a channel's alert rules"))
      .input(ChannelId)
      .output(Rules)
      .query(async ({ ctx, input }) => ({ rules: await readRules({ ctx, input }) })),
    update: write
      .meta(rest('PATCH', `${one}/rules`, "Update a channel's alert rules"))
      .input(UpdateRulesInput)
      .output(Rules)
      .mutation(async ({ ctx, input }) => ({ rules: await updateRules({ ctx, input }) })),
  }),
  grouping: router({
    get: read
      .meta(rest('GET', grouping, 'Get alert grouping'))
      .input(NoInput)
      .output(Grouping)
      .query(async ({ ctx }) => ({ grouping: await readGrouping({ ctx }) })),
    update: teamProcedure({ role: 'admin', scope: 'write' })
      .meta(rest('PATCH', grouping, 'Update alert grouping'))
      .input(AlertGrouping)
      .output(Grouping)
      .mutation(async ({ ctx, input }) => ({ grouping: await updateGrouping({ ctx, input }) })),
  }),
  resendConfirmation: write
    .meta(
      rest('POST', `${one}/resend-confirmation`, 'Resend the confirmation of an email channel', {
        errors: ['NOT_FOUND'],
        alsoAt: alsoAt('/{id}/resend-confirmation'),
      }),
    )
    .input(ChannelId)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ channel: await resendConfirmation({ ctx, input }) })),
  getConfirmation: publicProcedure
    .meta(rest('GET', confirmation, 'Get an email confirmation', { errors: ['NOT_FOUND'] }))
    .input(ConfirmationToken)
    .output(z.object({ confirmation: ConfirmationView }))
    .query(async ({ ctx, input }) => ({ confirmation: await getConfirmation({ ctx, input }) })),
  confirmRecipient: publicProcedure
    .meta(rest('POST', confirmation, 'Confirm an email address', { errors: ['NOT_FOUND'], limit: 'auth' }))
    .input(ConfirmationToken)
    .output(z.object({ confirmation: ConfirmationView }))
    .mutation(async ({ ctx, input }) => ({ confirmation: await confirmRecipient({ ctx, input }) })),
  deliveries: read
    .meta(rest('GET', `${one}/deliveries`, "List a channel's deliveries", { alsoAt: alsoAt('/{id}/deliveries') }))
    .input(ListDeliveriesInput)
    .output(z.object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listDeliveries(ctx.db, ctx.team.id, input)),
});
