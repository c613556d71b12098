import { z } from 'zod';
import { BulkResult } from '@/server/lists/schema';
import { NoInput, optionalProcedure, publicProcedure, router, teamProcedure } from '@/server/trpc/procedures';
import { acknowledgeByLink } from './acknowledgments/acknowledge-by-link';
import { acknowledgeIncident } from './acknowledgments/acknowledge-incident';
import { getAcknowledgment } from './acknowledgments/get-acknowledgment';
import { bulkIncidents } from './bulk-incidents';
import { createIncident } from './create-incident';
import { editIncident } from './edit-incident';
import { readEvidence } from './evidence/read-evidence';
import { countIncidents, listIncidents } from './list-queries';
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

const tags = ['Incidents'];
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
    .meta({
      openapi: { method: 'GET', path: '/api/v1/incident-counts', tags, summary: 'Count incidents by status' },
    })
    .input(CountIncidentsInput)
    .output(IncidentCounts)
    .query(({ ctx, input }) => countIncidents(ctx.db, ctx.team.id, input)),
  unresolvedCount: read
    .input(NoInput)
    .output(z.int())
    .query(({ ctx }) => ctx.db.incident.count({ where: { teamId: ctx.team.id, openKey: { not: null } } })),
  detail: read
    .meta({
      openapi: {
        method: 'GET',
        path: '/api/v1/incidents/{id}/detail',
        tags,
        summary: 'Get an incident with its notifications',
      },
    })
    .input(ById)
    .output(IncidentDetail)
    .query(({ ctx, input }) => readIncidentDetail(ctx.db, ctx.team.id, { id: input.id, drafts: seesDrafts(ctx) })),
  evidence: read
    .meta({
      openapi: {
        method: 'GET',
        path: '/api/v1/incidents/{id}/evidence',
        tags,
        summary: 'Get the evidence of an incident',
      },
      errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE'],
    })
    .input(ById)
    .output(z.object({ evidence: z.array(VerdictEvidence) }))
    .query(({ ctx, input }) => readEvidence({ ctx, input })),
  acknowledge: write
    .meta({
      openapi: { method: 'POST', path: '/api/v1/incidents/{id}/acknowledge', tags, summary: 'Acknowledge an incident' },
    })
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await acknowledgeIncident({ ctx, input }) })),
  getAcknowledgment: publicProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'GET', path: link, tags, summary: 'Get the incidents of an acknowledge link' },
    })
    .input(ByToken)
    .output(z.object({ acknowledgment: Acknowledgment }))
    .query(async ({ ctx, input }) => ({ acknowledgment: await getAcknowledgment({ ctx, input }) })),
  acknowledgeByLink: optionalProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'POST', path: link, tags, summary: 'Acknowledge incidents by a link' },
      limit: 'auth',
    })
    .input(ByToken)
    .output(z.object({ acknowledgment: Acknowledgment }))
    .mutation(async ({ ctx, input }) => ({ acknowledgment: await acknowledgeByLink({ ctx, input }) })),
  resolve: write
    .meta({ openapi: { method: 'POST', path: '/api/v1/incidents/{id}/resolve', tags, summary: 'Resolve an incident' } })
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await resolveIncident({ ctx, input }) })),
  bulk: write
    .meta({
      openapi: { method: 'POST', path: '/api/v1/incidents/bulk', tags, summary: 'Acknowledge or resolve incidents' },
      isBulk: true,
    })
    .input(BulkIncidentsInput)
    .output(z.object({ results: z.array(BulkResult) }))
    .mutation(async ({ ctx, input }) => ({ results: await bulkIncidents({ ctx, input }) })),
  reopen: write
    .meta({
      openapi: { method: 'POST', path: '/api/v1/incidents/{id}/reopen', tags, summary: 'Reopen an incident' },
      errors: ['INCIDENT_OPEN'],
    })
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await reopenIncident({ ctx, input }) })),
  postmortem: read
    .meta({ openapi: { method: 'GET', path: postmortem, tags, summary: 'Get the postmortem of an incident' } })
    .input(ById)
    .output(z.object({ postmortem: Postmortem.nullable() }))
    .query(async ({ ctx, input }) => ({ postmortem: await getPostmortem({ ctx, input }) })),
  putPostmortem: write
    .meta({
      openapi: { method: 'PUT', path: postmortem, tags, summary: 'Write the postmortem of an incident' },
      errors: ['EDIT_CONFLICT'],
    })
    .input(PutPostmortemInput)
    .output(z.object({ postmortem: Postmortem }))
    .mutation(async ({ ctx, input }) => ({ postmortem: await putPostmortem({ ctx, input }) })),
  previewPostmortem: write
    .meta({
      openapi: { method: 'POST', path: '/api/v1/postmortem-preview', tags, summary: 'Preview a postmortem' },
      changesNothing: true,
    })
    .input(PreviewPostmortemInput)
    .output(z.object({ html: z.string() }))
    .mutation(async ({ ctx, input }) => ({ html: await htmlOfText(ctx.team.id, input.body) })),
  deletePostmortem: write
    .meta({ openapi: { method: 'DELETE', path: postmortem, tags, summary: 'Delete the postmortem of an incident' } })
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deletePostmortem({ ctx, input })),
  share: write
    .meta({
      openapi: { method: 'POST', path: share, tags, summary: 'Create the public link of an incident' },
      created: true,
    })
    .input(ById)
    .output(z.object({ share: z.object({ token: z.string(), url: z.string() }) }))
    .mutation(async ({ ctx, input }) => ({ share: await shareIncident({ ctx, input }) })),
  unshare: write
    .meta({ openapi: { method: 'DELETE', path: share, tags, summary: 'Revoke the public link of an incident' } })
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => unshareIncident({ ctx, input })),
  shared: publicProcedure
    .meta({
      errors: ['NOT_FOUND'],
      openapi: {
        method: 'GET',
        path: '/auth/shared-incident/{token}',
        tags,
        summary: 'Get the incident of a public link',
      },
    })
    .input(ByToken)
    .output(z.object({ incident: SharedIncident }))
    .query(async ({ ctx, input }) => ({ incident: await getSharedIncident({ ctx, input }) })),
  update: write
    .meta({ openapi: { method: 'PUT', path: '/api/v1/incidents/{id}', tags, summary: 'Update an incident' } })
    .input(UpdateIncidentInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await updateIncident({ ctx, input }) })),
  edit: write
    .meta({ openapi: { method: 'PATCH', path: '/api/v1/incidents/{id}', tags, summary: 'Edit an incident' } })
    .input(EditIncidentInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await editIncident({ ctx, input }) })),
  create: write
    .meta({
      openapi: { method: 'POST', path: '/api/v1/incidents', tags, summary: 'Create an incident' },
      created: true,
    })
    .input(CreateIncidentInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ incident: await createIncident({ ctx, input }) })),
  updates: read
    .meta({
      openapi: { method: 'GET', path: '/api/v1/incidents/{id}/updates', tags, summary: "List an incident's updates" },
    })
    .input(ListUpdatesInput)
    .output(z.object({ updates: z.array(IncidentUpdate), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listUpdates(ctx.db, ctx.team.id, input)),
  addUpdate: write
    .meta({
      openapi: {
        method: 'POST',
        path: '/api/v1/incidents/{id}/updates',
        tags,
        summary: 'Add an update to an incident',
      },
      created: true,
    })
    .input(AddUpdateInput)
    .output(z.object({ update: IncidentUpdate }))
    .mutation(async ({ ctx, input }) => ({ update: await addUpdate({ ctx, input }) })),
  editUpdate: write
    .meta({ openapi: { method: 'PATCH', path: note, tags, summary: 'Show or hide a note of an incident' } })
    .input(EditUpdateInput)
    .output(z.object({ update: IncidentUpdate }))
    .mutation(async ({ ctx, input }) => ({ update: await editUpdate({ ctx, input }) })),
  deleteUpdate: write
    .meta({ openapi: { method: 'DELETE', path: note, tags, summary: 'Delete a note of an incident' } })
    .input(DeleteUpdateInput)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteUpdate({ ctx, input })),
  get: read
    .meta({ openapi: { method: 'GET', path: '/api/v1/incidents/{id}', tags, summary: 'Get an incident' } })
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ incident: await readIncident(ctx.db, ctx.team.id, input.id) })),
  page: read
    .meta({ openapi: { method: 'GET', path: '/api/v1/incidents', tags, summary: 'List incidents' } })
    .input(ListIncidentsInput)
    .output(z.object({ incidents: z.array(ListedIncident), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listIncidents(ctx.db, ctx.team.id, input)),
});
