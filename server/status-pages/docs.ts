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
const statusPage = {
  id: '01KAP0A1B3C5D7E9F1G3H5J7K9',
  teamId,
  ...given,
  logoUrl: null,
  url: 'https://upwatch.example.com/status/shop',
  createdAt: at,
  updatedAt: at,
};
const logoUrl = `${statusPage.url}/logo`;

export const statusPageDocs: Record<string, OperationDoc> = {
  'statusPages.list': { id: 'listStatusPages', description: '', answer: { statusPages: [statusPage], ...page } },
  'statusPages.get': { id: 'getStatusPage', description: '', answer: { statusPage } },
  'statusPages.create': {
    id: 'createStatusPage',
    description:
      'Creates a status page. Monitors are shown in the given order. `displayNames` maps monitor IDs to names for customers. A monitor without a display name is shown under its own name, or as a generic name such as "Website" if its name is an address. Slugs are unique across all teams.',
    body: given,
    answer: { statusPage },
  },
  'statusPages.update': {
    id: 'updateStatusPage',
    description:
      'Updates the given fields; at least one is required. `monitorIds` and `displayNames` each replace the complete list; with `monitorIds` alone, the remaining monitors keep their display names. A private page is hidden immediately.',
    body: { title: 'Status of the shop' },
    answer: { statusPage: { ...statusPage, title: 'Status of the shop' } },
  },
  'statusPages.delete': {
    id: 'deleteStatusPage',
    description: 'Deletes a status page. Its slug becomes available again.',
    answer: { ok: true },
  },
  'statusPages.setLogo': {
    id: 'setStatusPageLogo',
    description: 'Sets the logo: a PNG, JPEG or WebP image of at most 512 KiB and 4096 × 4096 pixels, as Base64.',
    body: { data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' },
    answer: { statusPage: { ...statusPage, logoUrl } },
  },
  'statusPages.removeLogo': { id: 'removeStatusPageLogo', description: '', answer: { statusPage } },
};
