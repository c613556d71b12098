// The commands that keep a team's configuration in files, and import files of other tools. They use only the public API. Bundled, and loaded by
// scripts/lib/configuration.mjs.
import { configFileSchema } from '@/server/config-files/schema';
import { Api, type ApiOptions } from './api';
import { applyFiles } from './apply';
import { exportTeam as write } from './export';
import { type Environment, readFiles } from './files';
import { columnsOf, isComplete, previewText, reportText, run, undo, upload } from './import';
import { isEmpty, makePlan, type Plan, removals } from './plan';
import { outcomeText, planJson, planText, summary } from './report';
import { readTeam } from './state';

export { ApiError, Unreachable } from './api';
export { ApplyError } from './apply';
export { FileProblems } from './files';
export { ImportError } from './import';

export interface Context extends ApiOptions {
  env: Environment;
  json: boolean;
  color: boolean;
  print(text: string): void;
}

const printPlan = (plan: Plan, { json, color, print }: Context) =>
  print(json ? JSON.stringify(planJson(plan)) : planText(plan, { color }));

/**
 * Prints what `apply` would change.
 * @returns whether it would change anything
 */
export async function plan(paths: string[], context: Context): Promise<boolean> {
  const configuration = readFiles(paths, context.env);
  const made = makePlan(configuration, await readTeam(new Api(context)));
  printPlan(made, context);
  return !isEmpty(made);
}

export interface Prompts {
  /** Asks a question about deletions; null without a terminal. */
  ask: ((question: string) => Promise<boolean>) | null;
  yes: boolean;
  progress(text: string): void;
}

/**
 * Changes the team so that it matches the files, and prints the plan and the result.
 * @returns false if the plan was not confirmed
 */
export async function apply(paths: string[], context: Context, { ask, yes, progress }: Prompts): Promise<boolean> {
  const { json, print } = context;
  const configuration = readFiles(paths, context.env);
  let made: Plan | undefined;
  const outcome = await applyFiles(new Api(context), configuration, {
    onPlan: (first) => {
      made = first;
      if (!json) printPlan(first, context);
    },
    confirm: async (first) => {
      const gone = removals(first).length;
      if (yes || gone === 0) return true;
      const objects = gone === 1 ? 'one object' : `${gone} objects`;
      if (!ask) {
        print(`Nothing was changed, because this deletes ${objects}. Run it with --yes.`);
        return false;
      }
      return ask(`Delete ${objects}? (${summary(first)}) [y/N] `);
    },
    onProgress: (done, all) => progress(done === all ? '' : `Applying ${done} of ${all}`),
  });
  progress('');
  if (!outcome) return false;
  print(json ? JSON.stringify({ plan: made && planJson(made), outcome }) : outcomeText(outcome));
  return true;
}

export interface ImportArguments {
  /** The tool that the file comes from; by default determined by the ending of its name. */
  source?: string;
  /** The columns of a CSV file: name=Title,url=Website. */
  map: string[];
  /** Only shows what would be created. */
  dryRun: boolean;
  /** Creates the monitors active. */
  active: boolean;
  history: boolean;
}

/**
 * Imports a file of another tool.
 * @returns false if it was not confirmed, or an object could not be created
 */
export async function importFile(
  path: string,
  { source, map, dryRun, active, history }: ImportArguments,
  context: Context,
  { ask, yes, progress }: Prompts,
): Promise<boolean> {
  const { json, print } = context;
  const api = new Api(context);
  const onProgress = (part: number) =>
    progress(part === 1 ? 'Reading the file' : `Uploading ${Math.floor(100 * part)} %`);
  const preview = await upload(api, path, { source, columns: columnsOf(map), onProgress });
  progress('');
  if (!json) print(previewText(preview));
  else if (dryRun) print(JSON.stringify(preview));
  if (dryRun) return true;
  if (!yes) {
    if (!ask) {
      print('Nothing was created. Run it with --yes.');
      return false;
    }
    if (!(await ask('Import it? [y/N] '))) return false;
  }
  const { id } = preview.import;
  const report = await run(api, id, { startPaused: !active, history }, (done, all) =>
    progress(`Importing ${done} of ${all}`),
  );
  progress('');
  print(json ? JSON.stringify({ preview, report }) : reportText(report));
  return isComplete(report);
}

/**
 * Undoes an import.
 * @returns false if objects are left, because they were changed or used since
 */
export async function undoImport(id: string, context: Context, { progress }: Prompts): Promise<boolean> {
  const { json, print } = context;
  const report = await undo(new Api(context), id, (done, all) => progress(`Undoing ${done} of ${all}`));
  progress('');
  print(json ? JSON.stringify({ report }) : reportText(report));
  return isComplete(report);
}

export interface ExportArguments {
  project: string;
  showsTexts: boolean;
  schema: string | null;
}

/** Returns the team's configuration as YAML. */
export async function exportTeam(context: ApiOptions, options: ExportArguments): Promise<string> {
  return write(await readTeam(new Api(context)), options);
}

/** Returns the JSON Schema of the files. */
export const schema = (): string => `${JSON.stringify(configFileSchema(), null, 2)}\n`;
