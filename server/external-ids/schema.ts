import { z } from 'zod';
import { NO_CONTROLS, ONE_LINE } from '@/server/text/schema';

/** A caller's own ID for an object: unique in the team among objects of its kind. */
export const ExternalId = z.string().min(1).max(255, 'Use at most 255 characters.').regex(ONE_LINE, NO_CONTROLS);

/** The external ID of an object that `upwatch apply` manages: its project and its key in the files. */
const MANAGED = /^git:([a-z0-9-]+)\/([a-z0-9-]+)$/;

/** Returns the external ID of an object that is described in files. */
export const managedId = (project: string, key: string): string => `git:${project}/${key}`;

/** Returns the project and the key of an object that is described in files; null for all other objects. */
export function managedBy(externalId: string | null): { project: string; key: string } | null {
  const [, project, key] = MANAGED.exec(externalId ?? '') ?? [];
  return project !== undefined && key !== undefined ? { project, key } : null;
}
