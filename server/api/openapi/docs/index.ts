import type { OperationDoc } from '../types';
import { channelDocs } from './channels';
import { exclusionDocs } from './exclusions';
import { incidentDocs } from './incidents';
import { instanceDocs } from './instance';
import { maintenanceDocs } from './maintenance';
import { monitorDocs } from './monitors';
import { peopleDocs } from './people';
import { statusPageDocs } from './status-pages';
import { teamDocs } from './team';

/** What the document says of every operation, by the name of its procedure. */
export const operationDocs: Record<string, OperationDoc> = {
  ...monitorDocs,
  ...exclusionDocs,
  ...incidentDocs,
  ...maintenanceDocs,
  ...channelDocs,
  ...peopleDocs,
  ...teamDocs,
  ...statusPageDocs,
  ...instanceDocs,
};
