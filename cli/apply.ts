import { setTimeout as wait } from 'node:timers/promises';
import { type Section, sections } from '@/server/config-files/schema';
import type { PutResult } from '@/server/monitor-types/schema';
import type { StatusPage } from '@/server/status-pages/schema';
import { type Api, ApiError, forEachAtOnce } from './api';
import { bodies, componentItems, type Ids, orderOf, rulesBody } from './bodies';
import type { Configuration, Desired } from './files';
import { type Current, externalIdOf, idOf, isEmpty, makePlan, type Plan, removals, type Step } from './plan';
import { type RowOf, readTeam, resources, type TeamState } from './state';

/** The API rejected an object. The message names the line of the files that describes it. */
export class ApplyError extends Error {}

export interface Outcome {
  created: number;
  updated: number;
  replaced: number;
  deleted: number;
  /** Credentials that were sent again and differed, by object. */
  secrets: string[];
  team: number;
}

/** The maximum number of plans. Another one is made if something else changed the team meanwhile. */
const ROUNDS = 3;

type Write = Exclude<Step, { action: 'delete' }>;
type Row = RowOf[Section];

const CONFLICTS = ['EDIT_CONFLICT', 'NOT_FOUND'];
const isRefused = (error: unknown) => error instanceof ApiError && error.status < 500;

/** Returns the place in the files that an API error is about. */
function placeOf(error: ApiError, at: Desired['at']): string {
  const [issue] = error.issues;
  return at(issue?.path.split('.') ?? []);
}

function failed(error: unknown, { section, key, at }: { section: Section; key: string; at?: Desired['at'] }): unknown {
  if (!(error instanceof ApiError)) return error;
  const issues = error.issues.map(({ path, message }) => `${path === '' ? '' : `${path}: `}${message}`);
  const message = issues.length > 0 ? issues.join(' ') : error.message;
  const where = at ? `${placeOf(error, at)}: ` : '';
  return new ApplyError(`${where}${section}.${key}: ${message} (${error.code})`);
}

/** Carries out one plan. */
class Round {
  readonly #api: Api;
  readonly #plan: Plan;
  readonly #ids = new Map<string, string>();
  readonly #people: Map<string, string>;
  readonly #done: Outcome;
  readonly #onStep: () => void;
  /** The objects that something else changed since the plan was made. */
  readonly conflicts = new Set<string>();

  constructor(api: Api, plan: Plan, state: TeamState, done: Outcome, onStep: () => void) {
    this.#api = api;
    this.#plan = plan;
    this.#done = done;
    this.#onStep = onStep;
    for (const [name, { row }] of plan.current) this.#ids.set(name, row.id);
    this.#people = new Map([...state.people].map(([id, email]) => [email, id]));
  }

  readonly #names: Ids = {
    id: (section, key) => {
      const id = this.#ids.get(idOf(section, key));
      if (id === undefined) throw new Error(`${section}.${key} has no ID yet.`);
      return id;
    },
    person: (email) => this.#people.get(email) ?? email,
  };

  #path(section: Section, key: string): string {
    return `${resources[section].path}/${this.#names.id(section, key)}`;
  }

  async run(): Promise<void> {
    const writes = this.#plan.steps.filter((step): step is Write => step.action !== 'delete');
    // A page's slug and a monitor's place in the plan are free before others take them.
    await this.#remove('statusPages');
    await forEachAtOnce(
      writes.filter(({ action }) => action === 'replace'),
      (step) => this.#guarded(step, () => this.#delete(step.section, step.key)),
    );
    for (const section of sections) {
      const ofSection = writes.filter((step) => step.section === section);
      const isNew = ({ action }: Write) => section === 'monitors' && action === 'create';
      await forEachAtOnce(inParts(ofSection.filter(isNew)), (steps) => this.#createMonitors(steps));
      await forEachAtOnce(
        ofSection.filter((step) => !isNew(step)),
        (step) => this.#guarded(step, () => this.#write(step)),
      );
      await this.#sendAgain(section);
      if (section === 'monitors') await this.#link(writes);
    }
    for (const section of sections.toReversed()) if (section !== 'statusPages') await this.#remove(section);
  }

  /**
   * Runs a step. Records a conflict if something else changed the object.
   * @throws ApplyError with the place in the files if the API rejects the object
   */
  async #guarded(step: { section: Section; key: string; desired?: Desired }, work: () => Promise<void>): Promise<void> {
    const { section, key, desired } = step;
    try {
      await work();
    } catch (error) {
      if (error instanceof ApiError && CONFLICTS.includes(error.code)) this.conflicts.add(idOf(section, key));
      else throw failed(error, { section, key, ...(desired && { at: desired.at }) });
    }
  }

  async #write(step: Write): Promise<void> {
    const { section, key, desired } = step;
    const { path, one } = resources[section];
    const body = bodies[section](desired.spec as never, this.#names);
    if (step.action === 'update') {
      if (touchesMain(step)) {
        const { type: _fixed, ...changes } = body;
        const ifUpdatedAt = step.current.row.updatedAt;
        const mark = step.isLinkOnly ? {} : { externalId: externalIdOf(this.#plan, key) };
        await this.#api.one('PUT', this.#path(section, key), one, { ...changes, ...mark, ifUpdatedAt });
      }
      this.#done.updated += 1;
    } else {
      const externalId = externalIdOf(this.#plan, key);
      const row = await this.#api.one<Row>('POST', path, one, { ...body, externalId }).catch(async (error: unknown) => {
        const found = isRefused(error) ? await this.#find(section, externalId) : undefined;
        if (!found) throw error;
        // Another apply created it at the same time, and may not have finished: the next plan compares it.
        this.conflicts.add(idOf(section, key));
        return found;
      });
      this.#ids.set(idOf(section, key), row.id);
      this.#done[step.action === 'create' ? 'created' : 'replaced'] += 1;
    }
    this.#onStep();
    if (this.conflicts.has(idOf(section, key))) return;
    if (section === 'maintenanceWindows') await this.#skip(step);
    if (section === 'statusPages') await this.#arrange(step);
  }

  /** Creates monitors in one call. Updates those that another apply has created meanwhile, so that they become as described. */
  async #createMonitors(steps: Write[]): Promise<void> {
    const monitors = steps.map(({ key, desired }) => ({
      ...bodies.monitors((desired as Desired<'monitors'>).spec, this.#names),
      externalId: externalIdOf(this.#plan, key),
    }));
    const path = `${resources.monitors.path}/by-external-id`;
    const results = await this.#api.one<PutResult[]>('PUT', path, 'results', { monitors }).catch((error: unknown) => {
      throw failed(error, { section: 'monitors', key: steps.map(({ key }) => key).join(', ') });
    });
    const refused = results.flatMap(({ error }, index) => {
      const step = steps[index];
      return error && step ? [failed(new ApiError(400, { error }), { ...step, at: step.desired.at })] : [];
    });
    for (const [index, { id, outcome }] of results.entries()) {
      const step = steps[index];
      if (!step || id === null) continue;
      this.#ids.set(idOf('monitors', step.key), id);
      this.#done[outcome === 'created' ? 'created' : 'updated'] += 1;
      this.#onStep();
    }
    if (refused.length > 0) throw new ApplyError(refused.map((error) => (error as Error).message).join('\n'));
  }

  async #find(section: Section, externalId: string): Promise<Row | undefined> {
    const { path, many } = resources[section];
    const found = await this.#api.one<Row[]>('GET', `${path}?externalId=${encodeURIComponent(externalId)}`, many);
    return found[0];
  }

  /** Sends objects with credentials again, because the API does not show these. The server changes only what differs. */
  async #sendAgain(section: Section): Promise<void> {
    const same = this.#plan.unseen.filter(({ desired }) => desired.section === section);
    await forEachAtOnce(same, ({ desired, current }) =>
      this.#guarded(desired, async () => {
        const { type: _fixed, ...body } = bodies[section](desired.spec as never, this.#names);
        const { updatedAt } = current.row;
        const row = await this.#api.one<Row>('PUT', this.#path(section, desired.key), resources[section].one, {
          ...body,
          ifUpdatedAt: updatedAt,
        });
        if (row.updatedAt !== updatedAt) this.#done.secrets.push(idOf(section, desired.key));
        this.#onStep();
      }),
    );
  }

  /** Sets the parents of monitors, and rules, templates and fallbacks of channels, once all of these objects exist. */
  async #link(writes: Write[]): Promise<void> {
    const monitors = writes.filter((step) => step.section === 'monitors' && touches(step, 'parent'));
    // In sequence, because each changes the tree of dependencies. Monitors that lose their parent come first, so that no cycle occurs.
    const parentOf = ({ desired }: Write) => (desired as Desired<'monitors'>).spec.parent;
    const inOrder = monitors.toSorted((a, b) => Number(parentOf(a) !== null) - Number(parentOf(b) !== null));
    for (const step of inOrder) {
      const parent = parentOf(step);
      if (parent === null && step.action !== 'update') continue;
      const parentId = parent === null ? null : this.#names.id('monitors', parent);
      await this.#guarded(step, async () => {
        await this.#api.call('PUT', `${this.#path('monitors', step.key)}/parent`, { parentId });
      });
    }
    const channels = writes.filter((step) => step.section === 'channels');
    await forEachAtOnce(channels, (step) => this.#guarded(step, () => this.#completeChannel(step)));
    const fallbacks = channels.filter((step) => touches(step, 'fallback'));
    const setFallback = (step: Write, key: string | null) =>
      this.#guarded(step, async () => {
        const fallbackChannelId = key === null ? null : this.#names.id('channels', key);
        await this.#api.call('PUT', `${this.#path('channels', step.key)}/fallback`, { fallbackChannelId });
      });
    for (const step of fallbacks) if (step.action === 'update') await setFallback(step, null);
    await this.#setTeam();
    for (const step of fallbacks) {
      const { fallback } = (step.desired as Desired<'channels'>).spec;
      if (fallback !== null) await setFallback(step, fallback);
    }
  }

  async #completeChannel(step: Write): Promise<void> {
    const { spec } = step.desired as Desired<'channels'>;
    const path = this.#path('channels', step.key);
    if (touches(step, 'rules')) await this.#api.call('PATCH', `${path}/rules`, rulesBody(spec, this.#names));
    if (touches(step, 'templates') && (step.action === 'update' || spec.templates.length > 0)) {
      await this.#api.call('PUT', `${path}/templates`, { templates: spec.templates });
    }
  }

  async #setTeam(): Promise<void> {
    for (const { field, after } of this.#plan.team) {
      if (field === 'alertGroupSeconds') {
        await this.#api.call('PATCH', '/api/v1/team/alert-grouping', { seconds: after });
      } else {
        const fallbackChannelId = after === null ? null : this.#names.id('channels', String(after));
        await this.#api.call('PUT', '/api/v1/team/fallback-channel', { fallbackChannelId });
      }
      this.#done.team += 1;
    }
  }

  /** Skips exactly the occurrences that the files name, and ends skips that they no longer name. Leaves occurrences in the past as they are. */
  async #skip(step: Write): Promise<void> {
    if (!touches(step, 'skip')) return;
    const { key } = step;
    const { spec } = step.desired as Desired<'maintenanceWindows'>;
    const before = step.action === 'update' ? (step.current as Current<'maintenanceWindows'>).spec.skip : [];
    const path = this.#path('maintenanceWindows', key);
    for (const startsAt of before) {
      if (!spec.skip.includes(startsAt)) await this.#api.call('POST', `${path}/unskip`, { startsAt });
    }
    for (const startsAt of spec.skip) {
      const isPast = Date.parse(startsAt) <= Date.now();
      if (!before.includes(startsAt) && !isPast) await this.#api.call('POST', `${path}/skip`, { startsAt });
    }
  }

  /** Creates, changes and removes the components of a page, and puts all its items in order. */
  async #arrange(step: Write): Promise<void> {
    if (!touches(step, 'items')) return;
    const { spec } = step.desired as Desired<'statusPages'>;
    const wanted = componentItems(spec);
    const present = step.action === 'update' ? (step.current.row as StatusPage).components : [];
    if (wanted.length + present.length === 0) return;
    const statusPageId = this.#names.id('statusPages', step.key);
    const components = '/api/v1/status-page-components';
    for (const { id, name } of present) {
      if (!wanted.some((each) => each.name === name)) await this.#api.call('DELETE', `${components}/${id}`);
    }
    const ids = new Map<string, string>();
    for (const { name, description } of wanted) {
      const found = present.find((each) => each.name === name);
      if (!found) {
        const body = { statusPageId, name, description };
        const created = await this.#api
          .one<{ id: string }>('POST', components, 'component', body)
          .catch(async (error) => {
            // Another apply may have created it at the same time.
            const page = await this.#api.one<StatusPage>('GET', this.#path('statusPages', step.key), 'statusPage');
            const theirs = isRefused(error) && page.components.find((each) => each.name === name);
            if (!theirs) throw error;
            return theirs;
          });
        ids.set(name, created.id);
      } else {
        ids.set(name, found.id);
        if (found.description !== description) {
          await this.#api.call('PUT', `${components}/${found.id}`, { description });
        }
      }
    }
    await this.#api.call('PUT', `/api/v1/status-pages/${statusPageId}`, { order: orderOf(spec, this.#names, ids) });
  }

  async #remove(section: Section): Promise<void> {
    const gone = this.#plan.steps.filter((step) => step.action === 'delete' && step.section === section);
    await forEachAtOnce(gone, (step) =>
      this.#guarded(step, async () => {
        await this.#delete(section, step.key);
        this.#done.deleted += 1;
        this.#onStep();
      }),
    );
  }

  /** Deletes an object. Ignores one that no longer exists. */
  async #delete(section: Section, key: string): Promise<void> {
    await this.#api.call('DELETE', this.#path(section, key)).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    });
  }
}

/** Limits of one call about many monitors: their number, and characters of their specs, well below the API's. */
const [MOST_MONITORS, MOST_CHARACTERS] = [50, 400_000];

function inParts(steps: Write[]): Write[][] {
  const parts: Write[][] = [];
  let size = 0;
  for (const step of steps) {
    const length = JSON.stringify(step.desired.spec).length;
    const last = parts.at(-1);
    if (!last || last.length >= MOST_MONITORS || size + length > MOST_CHARACTERS) {
      parts.push([step]);
      size = length;
    } else {
      last.push(step);
      size += length;
    }
  }
  return parts;
}

/** Whether a step changes a field at the top level of the spec. */
function touches(step: Write, field: string): boolean {
  if (step.action !== 'update') return true;
  return step.changes.some(({ path }) => path === field || path.startsWith(`${field}.`));
}

const ELSEWHERE = /^(rules|templates|fallback|parent|skip)(\.|$)/;

/** Whether a step changes fields that the object's own endpoint accepts, and not only those of other endpoints. */
const touchesMain = ({ changes }: { changes: { path: string }[] }) => changes.some(({ path }) => !ELSEWHERE.test(path));

export interface ApplyOptions {
  /** Asks for permission before anything changes. */
  confirm(plan: Plan): Promise<boolean>;
  onPlan(plan: Plan): void;
  /** The number of objects that were written, of all. */
  onProgress(done: number, all: number): void;
}

/**
 * Changes the team so that it matches the files. Makes another plan if something else changed an object meanwhile.
 * @returns what was done; null if the plan was not confirmed
 * @throws FileProblems, ApplyError, ApiError, Unreachable
 */
export async function applyFiles(
  api: Api,
  configuration: Configuration,
  { confirm, onPlan, onProgress }: ApplyOptions,
): Promise<Outcome | null> {
  const outcome: Outcome = { created: 0, updated: 0, replaced: 0, deleted: 0, secrets: [], team: 0 };
  let conflicts: ReadonlySet<string> = new Set();
  /** The objects whose deletion was confirmed. A later plan may contain others, which another apply with other files has created. */
  const confirmed = new Set<string>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const state = await readTeam(api);
    const plan = makePlan(configuration, state);
    if (round === 1) {
      onPlan(plan);
      if (!(await confirm(plan))) return null;
      for (const { section, key } of removals(plan)) confirmed.add(idOf(section, key));
    }
    const still = plan.steps.find(
      ({ action, section, key }) => action === 'update' && conflicts.has(idOf(section, key)),
    );
    if (round === ROUNDS && still) {
      throw new ApplyError(`${still.section}.${still.key}: Somebody keeps changing this. Plan and apply again.`);
    }
    if (round > 1 && isEmpty(plan)) return outcome;
    const unconfirmed = removals(plan).find(({ section, key }) => !confirmed.has(idOf(section, key)));
    if (round > 1 && unconfirmed) {
      throw new ApplyError(
        `${unconfirmed.section}.${unconfirmed.key}: Another apply made this meanwhile. Plan and apply again.`,
      );
    }
    const all = plan.steps.length + plan.unseen.length;
    let done = 0;
    const current = new Round(api, plan, state, outcome, () => {
      done += 1;
      onProgress(done, all);
    });
    await current.run();
    if (current.conflicts.size === 0) return outcome;
    conflicts = current.conflicts;
    // Lets another apply that changes the same objects finish first.
    await wait(500 + Math.random() * 1_000);
  }
  return outcome;
}
