import type { OperationDoc } from '../types';
import { monitorId, page, teamId } from './examples';

const at = '2026-11-20T03:07:12.000Z';
const given = {
  slug: 'shop',
  title: 'Shop status',
  description: 'How our shop is doing.',
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
      'Its monitors are shown in the order given. `displayNames` says what customers call them, by the id of the monitor; one without is shown under its own name, unless that is an address: customers then see a general word such as "Website". A slug is unique across all teams.',
    body: given,
    answer: { statusPage },
  },
  'statusPages.update': {
    id: 'updateStatusPage',
    description:
      'Changes what is given, at least one field; `monitorIds` and `displayNames` each replace the whole list; with `monitorIds` alone, those that stay keep their display names. A page that is not public is found by nobody, at once.',
    body: { title: 'Status of the shop' },
    answer: { statusPage: { ...statusPage, title: 'Status of the shop' } },
  },
  'statusPages.delete': { id: 'deleteStatusPage', description: 'Its slug is free again.', answer: { ok: true } },
  'statusPages.setLogo': {
    id: 'setStatusPageLogo',
    description: 'A PNG, JPEG or WebP image of at most 512 KiB and 4096 pixels a side, in Base64.',
    body: { data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' },
    answer: { statusPage: { ...statusPage, logoUrl } },
  },
  'statusPages.removeLogo': { id: 'removeStatusPageLogo', description: '', answer: { statusPage } },
};
