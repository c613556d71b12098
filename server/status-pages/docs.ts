import { at, monitorId, page, teamId } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const given = {
  slug: 'shop',
  title: 'Shop status',
  description: 'Current status of our shop.',
  isPublic: true,
  monitorIds: [monitorId],
  displayNames: { [monitorId]: 'Shop' },
};
const phoneLine = {
  id: '01KAP0B2C4D6E8F0G2H4J6K8M0',
  name: 'Support phone line',
  description: 'Weekdays from 8 to 18.',
};
const statusPage = {
  id: '01KAP0A1B3C5D7E9F1G3H5J7K9',
  teamId,
  ...given,
  components: [phoneLine],
  order: [monitorId, phoneLine.id],
  externalId: null,
  logoUrl: null,
  url: 'https://upwatch.example.com/status/shop',
  createdAt: at,
  updatedAt: at,
};
const component = {
  ...phoneLine,
  statusPageId: statusPage.id,
  statusPageTitle: statusPage.title,
  status: 'up',
  createdAt: at,
  updatedAt: at,
};
const logoUrl = `${statusPage.url}/logo`;

export const statusPageDocs: Record<string, OperationDoc> = {
  'statusPages.list': {
    id: 'listStatusPages',
    alsoId: 'listDashboardStatusPages',
    description: '',
    answer: { statusPages: [statusPage], ...page },
  },
  'statusPages.get': { id: 'getStatusPage', alsoId: 'getDashboardStatusPage', description: '', answer: { statusPage } },
  'statusPages.create': {
    id: 'createStatusPage',
    alsoId: 'createDashboardStatusPage',
    description:
      'Creates a status page. Monitors are shown in the given order. `displayNames` maps monitor IDs to names for customers. A monitor without a display name is shown under its own name, or as a generic name such as "Website" if its name is an address. Slugs are unique across all teams.',
    body: given,
    answer: { statusPage },
  },
  'statusPages.update': {
    id: 'updateStatusPage',
    alsoId: 'updateDashboardStatusPage',
    description:
      'Updates the given fields; at least one is required. `monitorIds` and `displayNames` each replace the complete list; with `monitorIds` alone, the remaining monitors keep their display names. `order` lists the IDs of monitors and components as customers see them; what it leaves out follows in its former order. A private page is hidden immediately.',
    body: { title: 'Status of the shop' },
    answer: { statusPage: { ...statusPage, title: 'Status of the shop' } },
  },
  'statusPages.delete': {
    id: 'deleteStatusPage',
    alsoId: 'deleteDashboardStatusPage',
    description: 'Deletes a status page. Its slug becomes available again.',
    answer: { ok: true },
  },
  'statusPages.setLogo': {
    id: 'setStatusPageLogo',
    alsoId: 'setDashboardStatusPageLogo',
    description: 'Sets the logo: a PNG, JPEG or WebP image of at most 512 KiB and 4096 × 4096 pixels, as Base64.',
    body: { data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' },
    answer: { statusPage: { ...statusPage, logoUrl } },
  },
  'statusPages.removeLogo': {
    id: 'removeStatusPageLogo',
    alsoId: 'removeDashboardStatusPageLogo',
    description: '',
    answer: { statusPage },
  },
  'statusPageComponents.list': {
    id: 'listStatusPageComponents',
    description:
      'Returns the components of all status pages that have no monitor, newest first. Their status is that of the open incidents that name them: `down` for a critical one, `degraded` for others.',
    answer: { components: [component], ...page },
  },
  'statusPageComponents.get': { id: 'getStatusPageComponent', description: '', answer: { component } },
  'statusPageComponents.create': {
    id: 'createStatusPageComponent',
    description:
      'Adds a component without a monitor to the end of a status page. Its name is unique on the page, whatever its case. Incidents that are created manually can name it in `componentIds`.',
    body: { statusPageId: statusPage.id, name: phoneLine.name, description: phoneLine.description },
    answer: { component },
  },
  'statusPageComponents.update': {
    id: 'updateStatusPageComponent',
    description:
      'Updates the given fields; at least one is required. The `order` of the status page moves a component.',
    body: { description: 'Weekdays from 7 to 19.' },
    answer: { component: { ...component, description: 'Weekdays from 7 to 19.' } },
  },
  'statusPageComponents.delete': {
    id: 'deleteStatusPageComponent',
    description: 'Deletes a component and its history. Incidents that name it are kept without it.',
    answer: { ok: true },
  },
};
