import { at, incidentId, monitorId, page, teamId } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

export const incident = {
  id: incidentId,
  monitorId,
  monitorIds: [monitorId],
  components: [],
  teamId,
  type: 'downtime',
  status: 'open',
  severity: 'critical',
  title: 'Shop is down',
  startedAt: at,
  resolvedAt: null,
  cause: 'Connection refused',
  assigneeId: null,
  parentIncidentId: null,
  createdAt: at,
};

const update = {
  id: '01KANZ3N6P8Q0R2S4T6V8W0X2Y',
  kind: 'note',
  message: 'The database is being moved to another disk.',
  authorName: 'Robin',
  isPublic: true,
  at,
};

const timings = { dnsMs: 1, connectMs: 12, tlsMs: 24, firstByteMs: 80, downloadMs: 2 };
const connection = { address: '192.0.2.10', port: 443, error: null };
const certificate = {
  subject: 'shop.example',
  issuer: 'Example CA',
  validFrom: '2026-10-01T00:00:00.000Z',
  validTo: '2026-12-30T00:00:00.000Z',
  fingerprint: 'AB:12',
};
const network = { timings, addresses: ['192.0.2.10'], connections: [connection], certificate };
const header = (value: string) => ({ name: 'server', value });

const evidence = {
  kind: 'opened',
  at,
  lastGood: { at, region: 'eu-central', latencyMs: 119, statusCode: 200, ...network, headers: [header('shop-41')] },
  changes: [
    { subject: 'statusCode', name: null, before: '200', after: '503' },
    { subject: 'header', name: 'server', before: 'shop-41', after: 'shop-42' },
  ],
  attempts: [
    {
      at,
      region: 'eu-central',
      status: 'down',
      error: 'Expected status 200-299, got 503',
      latencyMs: 119,
      statusCode: 503,
      ...network,
      exchanges: [
        {
          request: { line: 'GET / HTTP/1.1', headers: [{ name: 'authorization', value: '••••' }] },
          response: { line: 'HTTP/1.1 503 Service Unavailable', headers: [header('shop-42')] },
          body: { text: 'No connection to the database.', notStored: null, bytes: 30, isTruncated: false },
        },
      ],
      rules: [{ rule: 'status 200-299', value: '503', isMet: false }],
    },
  ],
};

const later = '2026-11-20T03:21:40.000Z';
const postmortem = {
  body: '## Summary\n\nThe disk was full.',
  html: '<h2>Summary</h2>\n<p>The disk was full.</p>\n',
  isPublished: true,
  authorName: 'Robin',
  publishedAt: later,
  updatedAt: later,
};
const sharedToken = 'b7hQ2mZ4xV6nP8cT0aS1dF3gH5jK7lW9eR2tY4uI6oA';
const edits = { severity: 'warning', cause: 'The certificate had expired.' };
const words = { title: 'Shop unreachable', cause: 'The certificate had expired.' };

const linked = {
  title: 'Shop is down',
  monitorNames: ['Shop'],
  status: 'open',
  startedAt: at,
  acknowledgedBy: null,
  isReopened: false,
};
const acknowledgment = { teamName: 'Northwind', incidents: [linked] };

export const incidentDocs: Record<string, OperationDoc> = {
  'incidents.page': {
    id: 'listIncidents',
    description:
      'Returns incidents, newest first; with `order=status`, open ones first, then acknowledged, then resolved ones; with `order=severity`, unresolved ones first, critical before warning before minor, then resolved ones in the same order. Within these groups, newest first. `status=unresolved` selects open and acknowledged incidents. Filters can be combined: `q` searches titles, causes, and names of monitors and components; `tag` is a tag of one of the monitors; `assigneeId=none` selects incidents without an assignee; `postmortem=published` selects incidents with a published postmortem; `parentIncidentId` selects the incidents of monitors that depend on the monitor of that incident. `dependentIncidentCount` is how many incidents have this one as their parent. A filtered page looks through 10,000 incidents and may have fewer than `limit`, also none: continue while `nextCursor` is not null.',
    answer: { incidents: [{ ...incident, dependentIncidentCount: 0 }], ...page },
  },
  'incidents.counts': {
    id: 'countIncidents',
    description: 'Returns how many of the latest 10,000 incidents of each status match the filters of the list.',
    answer: { open: 2, acknowledged: 1, resolved: 148 },
  },
  'incidents.create': {
    id: 'createIncident',
    description:
      'Creates an incident manually and notifies the channels of its monitors, or all channels of the team if there are none. `monitorId` is short for `monitorIds` with one. `componentIds` names components of status pages that have no monitor; until the incident is resolved, they are shown as down if it is critical, else as degraded. It stays open until it is resolved by a person or a script. A team may open and reopen 60 incidents per minute (a tenth of the rate limit), because each notifies all of its channels.',
    body: { title: 'Orders are late', cause: 'The queue is full.', monitorId },
    answer: { incident: { ...incident, type: 'manual', title: 'Orders are late', cause: 'The queue is full.' } },
  },
  'incidents.get': { id: 'getIncident', description: '', answer: { incident } },
  'incidents.detail': {
    id: 'getIncidentDetail',
    description:
      'Returns an incident with its monitor, its dependent incidents (counts by status, and the first 20), its latest 200 updates, and its latest 200 notifications with their delivery status. Updates and notifications are sorted oldest first.',
    answer: {
      incident,
      assigneeName: null,
      isShared: false,
      postmortem: null,
      monitors: [{ id: monitorId, name: 'Shop', status: 'down' }],
      monitor: { name: 'Shop', type: 'http', status: 'down', lastError: 'Connection refused' },
      escalation: {
        policyId: '01KANZCT7V9W1X3Y5Z7A9B1C3D',
        policyName: 'Payments',
        status: 'running',
        step: 1,
        steps: 3,
        round: 1,
        rounds: 3,
        nextStepAt: later,
      },
      dependentIncidents: { counts: { open: 0, acknowledged: 0, resolved: 0 }, incidents: [] },
      updates: [update],
      firstNotifiedAt: later,
      olderMessageCount: 0,
      messages: [
        {
          id: '01KANZ7C4D6E8F0G2H4J6K8M0N',
          event: 'incident.opened',
          status: 'delivered',
          hold: null,
          channelName: 'On-call',
          channelType: 'webhook',
          attempts: 1,
          lastAttemptAt: later,
          lastError: null,
          nextAttemptAt: null,
          isSending: false,
          channelState: 'delivering',
          channelPausedUntil: null,
        },
      ],
    },
  },
  'incidents.evidence': {
    id: 'getIncidentEvidence',
    description:
      'Returns what Upwatch saw when it opened and when it resolved an incident: every check that the verdict counted, with its region, phases, addresses, request line, response headers, the first 16 KiB of the body and each rule with its value; and for the beginning, what changed since the last good check. Secrets of the monitor are masked. If it is larger than half a megabyte, some checks have no exchanges and rules, but the first one of each verdict has. An incident that was created manually has none.',
    answer: { evidence: [evidence] },
  },
  'incidents.update': {
    id: 'updateIncident',
    description: 'Updates the title, the cause, or both. A resolved incident cannot be changed.',
    body: words,
    answer: { incident: { ...incident, ...words } },
  },
  'incidents.edit': {
    id: 'editIncident',
    description:
      'Changes the given fields of an incident, also of a resolved one; at least one is required. `cause: null` removes the cause, `assigneeId: null` the assignee. `monitorIds` replaces the monitors; an incident that checks opened keeps its own first. `componentIds` replaces the components; only an incident of type `manual` can name any. Sends no notifications. A request that changes nothing has no effect.',
    body: edits,
    answer: { incident: { ...incident, ...edits } },
  },
  'incidents.acknowledge': {
    id: 'acknowledgeIncident',
    description:
      'Acknowledges an incident. A member who does so with their own credential becomes the assignee, if there is none. Repeated calls change nothing. A resolved incident cannot be acknowledged.',
    answer: { incident: { ...incident, status: 'acknowledged' } },
  },
  'incidents.getAcknowledgment': {
    id: 'getAcknowledgment',
    description:
      'Returns the incidents of the link in an alert, open ones first. Reading them does not acknowledge them. A link is valid for 7 days, and ends when its channel is deleted. It does not act on incidents that were reopened after the message (`isReopened`).',
    answer: { acknowledgment },
  },
  'incidents.acknowledgeByLink': {
    id: 'acknowledgeByLink',
    description:
      'Acknowledges the open incidents of the link in an alert, in the name of the signed-in member, else of the channel. Repeated calls change nothing. Resolved incidents stay resolved, and incidents that were reopened after the message stay open.',
    answer: {
      acknowledgment: {
        ...acknowledgment,
        incidents: [{ ...linked, status: 'acknowledged', acknowledgedBy: 'Someone through On-call' }],
      },
    },
  },
  'incidents.resolve': {
    id: 'resolveIncident',
    description:
      'Resolves an incident manually. If its monitor still fails, a line of the timeline says so: the next check that fails opens a new incident with the start of the outage.',
    answer: { incident: { ...incident, status: 'resolved', resolvedAt: later } },
  },
  'incidents.bulk': {
    id: 'bulkUpdateIncidents',
    description:
      'Acknowledges or resolves up to 100 incidents. Each is decided by itself: `done`, `unchanged` if it was acknowledged or resolved before, or `refused` with its reason: an unknown ID, or a resolved incident that is to be acknowledged. The results are in the order of `ids`. Counts against the rate limit as one request per ten incidents.',
    body: { action: 'acknowledge', ids: [incidentId] },
    answer: { results: [{ id: incidentId, outcome: 'done', error: null }] },
  },
  'incidents.reopen': {
    id: 'reopenIncident',
    description:
      'Reopens a resolved incident and notifies its channels. From then on only a person or a script resolves it; a new failure of its monitor opens another incident. Fails with INCIDENT_OPEN while checks have an incident of the same monitor open. Counts against the limit of created incidents.',
    answer: { incident },
  },
  'incidents.postmortem': {
    id: 'getPostmortem',
    description:
      'Returns the postmortem of an incident in Markdown and as HTML. Null if there is none, and for viewers while it is a draft.',
    answer: { postmortem },
  },
  'incidents.putPostmortem': {
    id: 'putPostmortem',
    description:
      'Writes the postmortem of an incident in any status. Without `isPublished` it is a draft, which only members see who may write. Sends no notifications.',
    body: { body: postmortem.body, isPublished: true },
    answer: { postmortem },
  },
  'incidents.previewPostmortem': {
    id: 'previewPostmortem',
    description: 'Returns the HTML of a text in Markdown as a postmortem would show it. Stores nothing.',
    body: { body: postmortem.body },
    answer: { html: postmortem.html },
  },
  'incidents.deletePostmortem': { id: 'deletePostmortem', description: '', answer: { ok: true } },
  'incidents.share': {
    id: 'shareIncident',
    description:
      'Creates a link through which anyone can read the title, the times, the public updates and the published postmortem of an incident. A former link ends. The link is shown only once.',
    answer: { share: { token: sharedToken, url: `https://upwatch.example/shared/${sharedToken}` } },
  },
  'incidents.unshare': { id: 'unshareIncident', description: '', answer: { ok: true } },
  'incidents.shared': {
    id: 'getSharedIncident',
    description: 'Returns what a public link shows of its incident. The token is the credential.',
    params: { token: sharedToken },
    answer: {
      incident: {
        title: 'Shop is down',
        status: 'open',
        startedAt: at,
        resolvedAt: null,
        updates: [{ kind: 'opened', message: 'We are aware of a problem.', at }],
        postmortem: null,
        postmortemHtml: null,
      },
    },
  },
  'incidents.updates': {
    id: 'listIncidentUpdates',
    description: 'Returns the updates of an incident, newest first.',
    answer: { updates: [update], ...page },
  },
  'incidents.addUpdate': {
    id: 'addIncidentUpdate',
    description:
      'Adds an update to an incident. With `isPublic`, it is also shown on status pages; otherwise only the team sees it. A resolved incident can get updates too.',
    body: { message: update.message, isPublic: true },
    answer: { update },
  },
  'incidents.editUpdate': {
    id: 'editIncidentUpdate',
    description:
      'Shows a note on status pages, or hides it from them (`isPublic`). Only notes that people and scripts added can be changed. A request that changes nothing has no effect.',
    body: { isPublic: true },
    params: { updateId: update.id },
    answer: { update },
  },
  'incidents.deleteUpdate': {
    id: 'deleteIncidentUpdate',
    description:
      'Deletes a note of an incident, also from status pages and feeds. Only notes that people and scripts added can be deleted.',
    params: { updateId: update.id },
    answer: { ok: true },
  },
};
