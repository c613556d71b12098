import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, isAlias, isMap, isNode, LineCounter, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import {
  header,
  Key,
  type Section,
  type Spec,
  type SpecOf,
  sections,
  specSchemas,
  type TeamSpec,
} from '@/server/config-files/schema';
import { definitions } from '@/server/monitor-types/schema';
import { channelDefinitions } from '@/server/notifications/schema';
import { expand, hasConfig, mapSpecSecrets, variablesIn } from './secrets';
import { completeSpec } from './specs';

const MOST_FILES = 500;
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_DOCUMENTS = 500;
const MOST_OBJECTS = 10_000;
/** The maximum number of nodes that aliases may stand for, so that a small file cannot expand to a large one. */
const MOST_ALIASED = 1_000;
const MOST_PROBLEMS = 50;

type Path = (string | number)[];

/** Environment variables. */
export type Environment = Record<string, string | undefined>;

/** Something wrong in a file, in one line. */
export interface Problem {
  where: string;
  message: string;
}

/** The files cannot be used, for these reasons. */
export class FileProblems extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map(({ where, message }) => `${where}: ${message}`).join('\n'));
    this.problems = problems;
  }
}

/** An object as the files describe it, secrets included. */
export interface Desired<S extends Section = Section> {
  section: S;
  key: string;
  spec: SpecOf[S];
  /** The names of the environment variables of its secrets, by path. */
  variables: Map<string, string[]>;
  /** Returns "file:line" of a field of the object, or of the nearest one that contains it. */
  at(path?: Path): string;
}

export interface Configuration {
  project: string;
  objects: Desired[];
  team: { spec: TeamSpec; at(path?: Path): string } | null;
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(^|\/)(node_modules|\.[^/.][^/]*)\//.test(file.slice(path.length)))
    .sort();
}

/** Reads the text of the files at the paths, and in folders among them. @throws FileProblems */
function readTexts(paths: string[]): { file: string; text: string }[] {
  const found = paths.flatMap((path) => {
    try {
      return filesIn(path);
    } catch {
      throw new FileProblems([{ where: path, message: 'There is no such file or folder.' }]);
    }
  });
  const files = [...new Set(found)];
  if (files.length > MOST_FILES) {
    throw new FileProblems([
      { where: paths.join(' '), message: `${files.length} files; at most ${MOST_FILES} are read.` },
    ]);
  }
  if (files.length === 0)
    throw new FileProblems([{ where: paths.join(' '), message: 'There are no .yaml files here.' }]);
  let left = MOST_BYTES;
  return files.map((file) => {
    left -= statSync(file).size;
    if (left < 0) {
      throw new FileProblems([
        { where: file, message: `The files have more than ${MOST_BYTES / 1024 / 1024} MiB together.` },
      ]);
    }
    return { file, text: readFileSync(file, 'utf8') };
  });
}

/** Returns "file:line" of a node, or of the nearest one above it. */
function placeIn(document: Document, lines: LineCounter, file: string, path: Path): string {
  let node: unknown = document.contents;
  let offset = isNode(node) ? node.range?.[0] : undefined;
  for (const name of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === String(name));
      const key = pair?.key;
      offset = (isNode(key) ? key.range?.[0] : undefined) ?? offset;
      node = pair?.value;
    } else {
      node =
        document.contents && isNode(node) && 'get' in node
          ? (node as { get(k: unknown, keep: true): unknown }).get(name, true)
          : undefined;
      offset = (isNode(node) ? node.range?.[0] : undefined) ?? offset;
    }
    if (node === undefined || node === null) break;
  }
  return offset === undefined ? file : `${file}:${lines.linePos(offset).line}`;
}

const Header = z.looseObject(header);

/** Reads files into one configuration, and reports everything that is wrong with them at once. */
class Reader {
  readonly #env: Environment;
  readonly #problems: Problem[] = [];
  readonly #objects = new Map<string, Desired>();
  #project: { name: string; where: string } | null = null;
  #team: Configuration['team'] = null;

  constructor(env: Environment) {
    this.#env = env;
  }

  #report(where: string, message: string): void {
    this.#problems.push({ where, message });
  }

  #issues(error: z.ZodError, at: (path?: Path) => string, base: string): void {
    for (const { path, message } of error.issues) {
      const field = [base, ...path].filter((part) => part !== '').join('.');
      this.#report(at(path as Path), `${field}: ${message}`);
    }
  }

  readDocument(document: Document, lines: LineCounter, file: string): void {
    const at = (path: Path = []) => placeIn(document, lines, file, path);
    let value: unknown;
    try {
      value = document.toJS({ maxAliasCount: MOST_ALIASED });
    } catch (error) {
      this.#report(file, error instanceof Error ? error.message : String(error));
      return;
    }
    if (value === null || value === undefined) return;
    const { data, error } = Header.safeParse(value);
    if (!data) {
      this.#issues(error, at, '');
      return;
    }
    const { version: _version, project, team, ...rest } = data;
    const where = at(['project']);
    this.#project ??= { name: project, where };
    if (this.#project.name !== project) {
      const first = `"${this.#project.name}" in ${this.#project.where}`;
      this.#report(where, `All files describe one project: this is "${project}", but ${first}.`);
    }
    if (team && this.#team) this.#report(at(['team']), `The team is also described in ${this.#team.at()}.`);
    if (team) this.#team = { spec: team, at: (path = []) => at(['team', ...path]) };
    for (const [name, objects] of Object.entries(rest)) {
      if (!(sections as readonly string[]).includes(name)) {
        this.#report(at([name]), `Unknown section "${name}". Sections are ${sections.join(', ')} and team.`);
      } else if (objects !== null && (typeof objects !== 'object' || Array.isArray(objects))) {
        this.#report(at([name]), `${name}: List objects by their keys.`);
      } else {
        for (const [key, raw] of Object.entries(objects ?? {})) this.#readObject(name as Section, key, raw, at);
      }
    }
  }

  #readObject(section: Section, key: string, raw: unknown, atDocument: (path: Path) => string): void {
    const at = (path: Path = []) => atDocument([section, key, ...path]);
    const base = `${section}.${key}`;
    const badKey = Key.safeParse(key).error?.issues[0]?.message;
    const present = this.#objects.get(base);
    const why =
      badKey ??
      (present && `It is also described in ${present.at()}.`) ??
      (this.#objects.size >= MOST_OBJECTS ? `At most ${MOST_OBJECTS} objects are read.` : undefined);
    if (why !== undefined) {
      this.#report(at(), `${base}: ${why}`);
      return;
    }
    const variables = new Map<string, string[]>();
    const before = this.#problems.length;
    const expanded = this.#expand(section, raw, { base, at, variables });
    if (this.#problems.length > before) return;
    const { data, error } = specSchemas[section].safeParse(expanded);
    if (!data) {
      this.#issues(error, at, base);
      return;
    }
    const spec = completeSpec(section, data as never) as Spec;
    this.#objects.set(base, { section, key, spec, variables, at });
  }

  /**
   * Replaces references in the secrets of a config by the values of environment variables. Reports credentials in plain text, and variables that are
   * not set.
   */
  #expand(
    section: Section,
    raw: unknown,
    { base, at, variables }: { base: string; at(path?: Path): string; variables: Map<string, string[]> },
  ): unknown {
    if (!hasConfig(section) || !hasTypeAndConfig(section, raw)) return raw;
    return mapSpecSecrets(section, raw as never, (text, { path, kind }) => {
      const names = variablesIn(text);
      const field = path.split('.');
      if (kind === 'credential' && names.length === 0 && text !== '') {
        this.#report(at(field), `${base}.${path}: This is a secret. Write \${NAME}, and set NAME in the environment.`);
      }
      const missing = names.filter((name) => (this.#env[name] ?? '') === '');
      for (const name of missing) this.#report(at(field), `${base}.${path}: ${name} is not set in the environment.`);
      if (names.length > 0) variables.set(path, names);
      return expand(text, (name) => this.#env[name] ?? '');
    });
  }

  result(): Configuration {
    const hidden = this.#problems.length - MOST_PROBLEMS;
    if (hidden > 0) {
      this.#problems.length = MOST_PROBLEMS;
      this.#report('…', `${hidden} more problems.`);
    }
    if (this.#problems.length > 0) throw new FileProblems(this.#problems);
    return { project: this.#project?.name ?? 'main', objects: [...this.#objects.values()], team: this.#team };
  }
}

/** Whether an object has the structure that is needed to find its secrets. If not, its schema reports what is wrong. */
function hasTypeAndConfig(section: 'monitors' | 'channels', raw: unknown): boolean {
  const { type, config } = { type: undefined, config: undefined, ...(raw as object | null) } as Record<string, unknown>;
  const known = section === 'monitors' ? definitions : channelDefinitions;
  if (typeof type !== 'string' || !Object.hasOwn(known, type)) return false;
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return false;
  const isRecord = (value: unknown) =>
    value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
  return isRecord((config as Record<string, unknown>).headers) || section === 'channels'
    ? isRecord((config as Record<string, unknown>).auth) || section === 'channels'
    : false;
}

/**
 * Reads a configuration from files, and from folders with .yaml files.
 * @param env the values of `${NAME}`
 * @throws FileProblems
 */
export function readFiles(paths: string[], env: Environment): Configuration {
  const reader = new Reader(env);
  const broken: Problem[] = [];
  let count = 0;
  for (const { file, text } of readTexts(paths)) {
    const lines = new LineCounter();
    const documents = parseAllDocuments(text, { lineCounter: lines, merge: true, prettyErrors: false, strict: true });
    for (const document of Array.isArray(documents) ? documents : []) {
      count += 1;
      if (count > MOST_DOCUMENTS) {
        throw new FileProblems([{ where: file, message: `The files have more than ${MOST_DOCUMENTS} documents.` }]);
      }
      for (const { message, pos } of document.errors) {
        broken.push({ where: `${file}:${lines.linePos(pos[0]).line}`, message });
      }
      if (document.errors.length === 0) reader.readDocument(document, lines, file);
    }
  }
  if (broken.length > 0) throw new FileProblems(broken.slice(0, MOST_PROBLEMS));
  return reader.result();
}
