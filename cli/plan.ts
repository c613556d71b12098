import { isDeepStrictEqual } from 'node:util';
import { type Section, type Spec, type SpecOf, sections } from '@/server/config-files/schema';
import { managedBy, managedId } from '@/server/managed-ids/schema';
import { type Configuration, type Desired, FileProblems, type Problem } from './files';
import { displaySecret, hasConfig, looksLike, type SecretField, secretFields } from './secrets';
import { namesOf, peopleOf, referencesOf, toSpec } from './specs';
import { assignKeys, type RowOf, resources, type TeamState } from './state';

/** A field that differs. Contains no secrets. */
export interface FieldChange {
  path: string;
  /** Undefined if the field is not set. */
  before: unknown;
  after: unknown;
  /** The environment variables that the new value contains. */
  from?: string[] | undefined;
}

export interface Current<S extends Section = Section> {
  section: S;
  key: string;
  row: RowOf[S];
  spec: SpecOf[S];
}

type Of<Kind extends string, More> = { action: Kind; section: Section; key: string } & More;

/** A step of a plan: what `apply` does to one object. */
export type Step =
  | Of<'create', { desired: Desired }>
  | Of<'update', { desired: Desired; current: Current; changes: FieldChange[]; isLinkOnly?: true }>
  /** Deleted and created again, because its type cannot change. */
  | Of<'replace', { desired: Desired; current: Current; changes: FieldChange[] }>
  | Of<'delete', { current: Current }>;

export interface TeamChange {
  field: 'alertGroupSeconds' | 'fallbackChannel';
  before: string | number | null;
  after: string | number | null;
}

export interface Plan {
  project: string;
  steps: Step[];
  team: TeamChange[];
  /**
   * Objects without a visible change whose credentials the API does not show. `apply` sends them again, and the server changes only what differs.
   */
  unseen: { desired: Desired; current: Current }[];
  unchanged: number;
  /** All objects of the team by section and key. */
  current: Map<string, Current>;
}

export const idOf = (section: Section, key: string) => `${section}.${key}`;

interface Comparison {
  fields: Map<string, SecretField>;
  variables: Map<string, string[]>;
  isChannel: boolean;
}

function compare(before: unknown, after: unknown, path: string, how: Comparison): FieldChange[] {
  const field = how.fields.get(path);
  if (field) return compareSecret(before, after, path, field, how);
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isRecord(before) && isRecord(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      compare(before[name], after[name], path === '' ? name : `${path}.${name}`, how),
    );
  }
  // Left to the server, which knows the plan's default.
  if (path === 'intervalSeconds' && after === undefined) return [];
  if (isDeepStrictEqual(before, after)) return [];
  // An object or a list with secrets, such as a new `auth` or the steps of a monitor, is shown field by field.
  const hasSecrets = [...how.fields.keys()].some((name) => name.startsWith(`${path}.`));
  const partsOf = (value: unknown) => (typeof value === 'object' && value !== null ? { ...value } : null);
  const [earlier, later] = [partsOf(before), partsOf(after)];
  if (hasSecrets && (earlier || later)) return compare(earlier ?? {}, later ?? {}, path, how);
  return [{ path, before, after }];
}

function compareSecret(
  before: unknown,
  after: unknown,
  path: string,
  field: SecretField,
  { variables, isChannel }: Comparison,
): FieldChange[] {
  // A credential of a channel that the files leave out is kept.
  if (isChannel && field.kind === 'credential' && after === undefined) return [];
  if (before === after) return [];
  if (typeof before === 'string' && typeof after === 'string' && looksLike(before, after, field)) return [];
  const from = variables.get(path);
  return [{ path, before: displaySecret(before, field), after: displaySecret(after, field), from }];
}

/** Returns the fields in which a described object differs from the current one. */
export function changesOf(desired: Desired, current: Current): FieldChange[] {
  const { section, spec, variables } = desired;
  const fields = new Map([...secretFields(section, current.spec), ...secretFields(section, spec)]);
  return compare(current.spec, spec, '', { fields, variables, isChannel: section === 'channels' });
}

/** Whether an object has credentials, of which the API shows the last four characters at most. */
function hasCredentials({ section, spec }: Desired): boolean {
  return hasConfig(section) && [...secretFields(section, spec).values()].some(({ kind }) => kind === 'credential');
}

const typeOf = (spec: Spec) => ('type' in spec ? spec.type : null);

/** Returns all objects of a team in the form of the files, by section and key. */
export function currentObjects(state: TeamState, project: string): Map<string, Current> {
  const keys = assignKeys(state, project);
  const names = namesOf(state, keys);
  const found = new Map<string, Current>();
  for (const section of sections) {
    for (const row of state.rows[section]) {
      const key = keys[section].get(row.id) ?? row.id;
      found.set(idOf(section, key), { section, key, row, spec: toSpec(section, row as never, names) });
    }
  }
  return found;
}

/** Finds references to objects and members that exist neither in the files nor in the team. */
function findMissing(
  objects: Desired[],
  team: Configuration['team'],
  known: (id: string) => boolean,
  state: TeamState,
) {
  const emails = new Set(state.people.values());
  const problems: Problem[] = [];
  for (const { section, key, spec, at } of objects) {
    for (const reference of referencesOf(section, spec as never)) {
      if (known(idOf(reference.section, reference.key))) continue;
      const { label } = resources[reference.section];
      const message = `${section}.${key}: There is no ${label} "${reference.key}" in the files or the team.`;
      problems.push({ where: at(reference.path), message });
    }
    for (const { email, path } of peopleOf(section, spec)) {
      if (emails.has(email) || state.people.has(email)) continue;
      problems.push({ where: at(path), message: `${section}.${key}: ${email} is not a member of the team.` });
    }
  }
  const fallback = team?.spec.fallbackChannel;
  if (team && fallback && !known(idOf('channels', fallback))) {
    problems.push({ where: team.at(['fallbackChannel']), message: `There is no channel "${fallback}".` });
  }
  return problems;
}

function planTeam({ team }: Configuration, state: TeamState, current: Map<string, Current>): TeamChange[] {
  if (!team) return [];
  const { alertGroupSeconds, fallbackChannel } = team.spec;
  const changes: TeamChange[] = [];
  if (alertGroupSeconds !== undefined && alertGroupSeconds !== state.alertGroupSeconds) {
    changes.push({ field: 'alertGroupSeconds', before: state.alertGroupSeconds, after: alertGroupSeconds });
  }
  const present = fallbackKey(state, current);
  if (fallbackChannel !== undefined && fallbackChannel !== present) {
    changes.push({ field: 'fallbackChannel', before: present, after: fallbackChannel });
  }
  return changes;
}

/** Returns the key of the team's fallback channel; null without one. */
export function fallbackKey({ fallbackChannelId }: TeamState, current: Map<string, Current>): string | null {
  return [...current.values()].find(({ row }) => row.id === fallbackChannelId)?.key ?? null;
}

/**
 * Returns the plan that makes the team match the files. Deletes only objects of the project that the files no longer describe.
 * @throws FileProblems for references to unknown objects or members, and for objects that another project describes
 */
export function makePlan(configuration: Configuration, state: TeamState): Plan {
  const { project, objects, team } = configuration;
  const current = currentObjects(state, project);
  const described = new Map(objects.map((desired) => [idOf(desired.section, desired.key), desired]));
  const problems = findMissing(objects, team, (id) => described.has(id) || current.has(id), state);
  const plan: Plan = {
    project,
    steps: [],
    team: planTeam(configuration, state, current),
    unseen: [],
    unchanged: 0,
    current,
  };
  for (const desired of objects) {
    const { section, key, spec } = desired;
    const found = current.get(idOf(section, key));
    const owner = found ? managedBy(found.row.externalId) : null;
    if (!found) plan.steps.push({ action: 'create', section, key, desired });
    else if (owner && owner.project !== project) {
      const message = `${section}.${key}: The project "${owner.project}" describes this ${resources[section].label}.`;
      problems.push({ where: desired.at(), message });
    } else {
      const changes = changesOf(desired, found);
      const step = { section, key, desired, current: found };
      if (!owner)
        changes.unshift({ path: 'managed by', before: found.row.externalId ?? undefined, after: `git:${project}` });
      if (typeOf(spec) !== typeOf(found.spec)) plan.steps.push({ action: 'replace', ...step, changes });
      else if (changes.length > 0) plan.steps.push({ action: 'update', ...step, changes });
      else if (hasCredentials(desired)) plan.unseen.push(step);
      else plan.unchanged += 1;
    }
  }
  if (problems.length > 0) throw new FileProblems(problems);
  relink(plan);
  for (const [id, found] of current) {
    const isOurs = managedBy(found.row.externalId)?.project === project;
    if (isOurs && !described.has(id)) {
      plan.steps.push({ action: 'delete', section: found.section, key: found.key, current: found });
    }
  }
  plan.unchanged += plan.unseen.length;
  return plan;
}

/** Adds updates of the objects that refer to a replaced one, because that gets another ID. */
function relink(plan: Plan): void {
  const replaced = new Set(
    plan.steps.filter(({ action }) => action === 'replace').map(({ section, key }) => idOf(section, key)),
  );
  if (replaced.size === 0) return;
  const planned = new Set(plan.steps.map(({ section, key }) => idOf(section, key)));
  for (const found of plan.current.values()) {
    if (planned.has(idOf(found.section, found.key))) continue;
    const link = referencesOf(found.section, found.spec as never).find(({ section, key }) =>
      replaced.has(idOf(section, key)),
    );
    if (!link) continue;
    const { section, key, spec } = found;
    const change = { path: link.path.join('.'), before: link.key, after: `${link.key} (new)` };
    const desired = { section, key, spec, variables: new Map(), at: () => idOf(section, key) };
    plan.steps.push({ action: 'update', section, key, desired, current: found, changes: [change], isLinkOnly: true });
  }
}

/** Whether a plan changes anything. */
export const isEmpty = ({ steps, team }: Plan): boolean => steps.length === 0 && team.length === 0;

/** The steps that remove something: they need a confirmation. */
export const removals = ({ steps }: Plan): Step[] =>
  steps.filter(({ action }) => action === 'delete' || action === 'replace');

/** Returns the external ID of an object of a plan. */
export const externalIdOf = ({ project }: Plan, key: string): string => managedId(project, key);
