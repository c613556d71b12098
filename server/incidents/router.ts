import { z } from 'zod';
import { BulkResult } from '@/server/lists/schema';
import {
  NoInput,
  operations,
  optionalProcedure,
  publicProcedure,
  router,
  teamProcedure,
} from '@/server/trpc/procedures';
import { acknowledgeByLink } from './acknowledgments/acknowledge-by-link';
import { acknowledgeIncident } from './acknowledgments/acknowledge-incident';
import { getAcknowledgment } from './acknowledgments/get-acknowledgment';
import { bulkIncidents } from './bulk-incidents';
import { createIncident } from './create-incident';
import { editIncident } from './edit-incident';
import { readEvidence } from './evidence/read-evidence';
import { countIncidents, countUnresolved, listIncidents } from './list-queries';
import { deletePostmortem, getPostmortem, putPostmortem, seesDrafts } from './postmortems/postmortem';
import { htmlOfText } from './postmortems/postmortem-html';
import { listUpdates, readIncident } from './queries';
import { readIncidentDetail } from './read-incident-detail';
import { reopenIncident } from './reopen-incident';
import { resolveIncident } from './resolve-incident';
import {
  Acknowledgment,
  AddUpdateInput,
  BulkIncidentsInput,
  CountIncidentsInput,
  CreateIncidentInput,
  DeleteUpdateInput,
  EditIncidentInput,
  EditUpdateInput,
  Incident,
  IncidentCounts,
  IncidentDetail,
  IncidentListRow,
  IncidentUpdate,
  ListedIncident,
  ListIncidentsInput,
  ListUpdatesInput,
  Postmortem,
  PreviewPostmortemInput,
  PutPostmortemInput,
  SharedIncident,
  UpdateIncidentInput,
  VerdictEvidence,
} from './schema';
import { getSharedIncident, shareIncident, unshareIncident } from './share-incident';
import { updateIncident } from './update-incident';
import { addUpdate } from './updates/add-update';
import { deleteUpdate, editUpdate } from './updates/correct-update';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
const write = teamProcedure({ role: 'member', scope: 'write' });

const rest = operations('Incidents');
const ById = z.strictObject({ id: z.string() });
const link = '/auth/acknowledgment/{token}';
const ByToken = z.strictObject({ token: z.string() });
const postmortem = '/api/v1/incidents/{id}/postmortem';
const share = '/api/v1/incidents/{id}/share';
const note = '/api/v1/incidents/{id}/updates/{updateId}';
const One = z.object({ incident: Incident });

/** Procedures of the dashboard's pages. */
export const incidentsRouter = router({
  list: read
    .input(ListIncidentsInput)
    .output(z.object({ incidents: z.array(IncidentListRow), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listIncidents(ctx.db, ctx.team.id, input)),
  counts: read
    .meta(rest('GET', '/api/v1/incident-counts', 'Count incidents by status'))
    .input(CountIncidentsInput)
    .output(IncidentCounts)
    .query(({ ctx, input }) => countIncidents(ctx.db, ctx.team.id, input)),
  unresolvedCount: read
    .input(NoInput)
    .output(z.int())
    .query(({ ctx }) => countUnresolved(ctx.db, ctx.team.id)),
  detail: read
    .meta(rest('GET', '/api/v1/incidents/{id}/detail', 'Get an incident with its notifications'))
    .input(ById)
    .output(IncidentDetail)
    .query(({ ctx, input }) => readIncidentDetail(ctx.db, ctx.team.id, { id: input.id, drafts: seesDrafts(ctx) })),
  evidence: read
    .meta(
      rest('GET', '/api/v1/incidents/{id}/evidence', 'Get the evidence of an incident', {
        errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE'],
      }),
    )
    .input(ById)
    .output(z.object({ evidence: z.array(VerdictEvidence) }))
    .query(({ ctx, input }) => readEvidence({ ctx, input })),
  acknowledge: write
    .meta(rest('POST', '/api/v1/incidents/{id}/acknowledge', 'Acknowledge an incident'))
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await acknowledgeIncident({ ctx, input }) })),
  getAcknowledgment: publicProcedure
    .meta(rest('GET', link, 'Get the incidents of an acknowledge link', { errors: ['NOT_FOUND'] }))
    .input(ByToken)
    .output(z.object({ acknowledgment: Acknowledgment }))
    .query(async ({ ctx, input }) => ({ acknowledgment: await getAcknowledgment({ ctx, input }) })),
  acknowledgeByLink: optionalProcedure
    .meta(rest('POST', link, 'Acknowledge incidents by a link', { errors: ['NOT_FOUND'], limit: 'auth' }))
    .input(ByToken)
    .output(z.object({ acknowledgment: Acknowledgment }))
    .mutation(async ({ ctx, input }) => ({ acknowledgment: await acknowledgeByLink({ ctx, input }) })),
  resolve: write
    .meta(rest('POST', '/api/v1/incidents/{id}/resolve', 'Resolve an incident'))
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await resolveIncident({ ctx, input }) })),
  bulk: write
    .meta(rest('POST', '/api/v1/incidents/bulk', 'Acknowledge or resolve incidents', { isBulk: true }))
    .input(BulkIncidentsInput)
    .output(z.object({ results: z.array(BulkResult) }))
    .mutation(async ({ ctx, input }) => ({ results: await bulkIncidents({ ctx, input }) })),
  reopen: write
    .meta(
      rest('POST', '/api/v1/incidents/{id}/reopen', 'Reopen an incident', {
        errors: ['INCIDENT_OPEN'],
        limit: 'notifying',
      }),
    )
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await reopenIncident({ ctx, input }) })),
  postmortem: read
    .meta(rest('GET', postmortem, 'Get the postmortem of an incident'))
    .input(ById)
    .output(z.object({ postmortem: Postmortem.nullable() }))
    .query(async ({ ctx, input }) => ({ postmortem: await getPostmortem({ ctx, input }) })),
  putPostmortem: write
    .meta(rest('PUT', postmortem, 'Write the postmortem of an incident', { errors: ['EDIT_CONFLICT'] }))
    .input(PutPostmortemInput)
    .output(z.object({ postmortem: Postmortem }))
    .mutation(async ({ ctx, input }) => ({ postmortem: await putPostmortem({ ctx, input }) })),
  previewPostmortem: write
    .meta(rest('POST', '/api/v1/postmortem-preview', 'Preview a postmortem', { changesNothing: true }))
    .input(PreviewPostmortemInput)
    .output(z.object({ html: z.string() }))
    .mutation(async ({ ctx, input }) => ({ html: await htmlOfText(ctx.team.id, input.body) })),
  deletePostmortem: write
    .meta(rest('DELETE', postmortem, 'Delete the postmortem of an incident'))
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deletePostmortem({ ctx, input })),
  share: write
    .meta(rest('POST', share, 'Create the public link of an incident', { created: true }))
    .input(ById)
    .output(z.object({ share: z.object({ token: z.string(), url: z.string() }) }))
    .mutation(async ({ ctx, input }) => ({ share: await shareIncident({ ctx, input }) })),
  unshare: write
    .meta(rest('DELETE', share, 'Revoke the public link of an incident'))
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => unshareIncident({ ctx, input })),
  shared: publicProcedure
    .meta(rest('GET', '/auth/shared-incident/{token}', 'Get the incident of a public link', { errors: ['NOT_FOUND'] }))
    .input(ByToken)
    .output(z.object({ incident: SharedIncident }))
    .query(async ({ ctx, input }) => ({ incident: await getSharedIncident({ ctx, input }) })),
  update: write
    .meta(rest('PUT', '/api/v1/incidents/{id}', 'Update an incident'))
    .input(UpdateIncidentInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await updateIncident({ ctx, input }) })),
  edit: write
    .meta(rest('PATCH', '/api/v1/incidents/{id}', 'Edit an incident'))
    .input(EditIncidentInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await editIncident({ ctx, input }) })),
  create: write
    .meta(rest('POST', '/api/v1/incidents', 'Create an incident', { created: true, limit: 'notifying' }))
    .input(CreateIncidentInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await createIncident({ ctx, input }) })),
  updates: read
    .meta(rest('GET', '/api/v1/incidents/{id}/updates', "List an incident's updates"))
    .input(ListUpdatesInput)
    .output(z.object({ updates: z.array(IncidentUpdate), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listUpdates(ctx.db, ctx.team.id, input)),
  addUpdate: write
    .meta(rest('POST', '/api/v1/incidents/{id}/updates', 'Add an update to an incident', { created: true }))
    .input(AddUpdateInput)
    .output(z.object({ update: IncidentUpdate }))
    .mutation(async ({ ctx, input }) => ({ update: await addUpdate({ ctx, input }) })),
  editUpdate: write
    .meta(rest('PATCH', note, 'Show or hide a note of an incident'))
    .input(EditUpdateInput)
    .output(z.object({ update: IncidentUpdate }))
    .mutation(async ({ ctx, input }) => ({ update: await editUpdate({ ctx, input }) })),
  deleteUpdate: write
    .meta(rest('DELETE', note, 'Delete a note of an incident'))
    .input(DeleteUpdateInput)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteUpdate({ ctx, input })),
  get: read
    .meta(rest('GET', '/api/v1/incidents/{id}', 'Get an incident'))
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ incident: await readIncident(ctx.db, ctx.team.id, input.id) })),
  page: read
    .meta(rest('GET', '/api/v1/incidents', 'List incidents'))
    .input(ListIncidentsInput)
    .output(z.object({ incidents: z.array(ListedIncident), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listIncidents(ctx.db, ctx.team.id, input)),
});
