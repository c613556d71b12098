// What every page loads of the external IDs of objects that files in Git describe. Without a schema.

/** The external ID of an object that `upwatch apply` manages: its project and its key in the files. */
const MANAGED = /^git:([a-z0-9-]+)\/([a-z0-9-]+)$/;

/** Returns the external ID of an object that is described in files. */
export const managedId = (project: string, key: string): string => `git:${project}/${key}`;

/** Returns the project and the key of an object that is described in files; null for all other objects. */
export function managedBy(externalId: string | null): { project: string; key: string } | null {
  const [, project, key] = MANAGED.exec(externalId ?? '') ?? [];
  return project !== undefined && key !== undefined ? { project, key } : null;
}
