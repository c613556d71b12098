import { suggestName } from '@/server/monitor-types/schema';
import { digest, toInterval } from '../../convert/conversion';
import { type Row, toRow, toRows } from '../../convert/rows';
import { readYaml } from '../../convert/yaml';
import { cut, type DraftBuilder, NotCarriedOver, toTags, UnreadableFile } from '../../draft';
import { toMonitor } from './probers';
import { textOf, textsOf, toMs } from './settings';

const OTHER = 'This is no configuration of Prometheus with probes: no scrape job has static targets and a module.';
const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 10_000;

/** A scrape job with the defaults of the file. */
interface Job {
  name: string;
  row: Row;
  global: Row;
  modules: Row;
}

const moduleLabel = (labels: Row) => textOf(labels, '__param_module') || textOf(labels, 'module');

/** Whether a job probes: its exporter is asked with a module. */
const isProbe = (row: Row) =>
  toRow(row.params).module !== undefined ||
  textOf(row, 'metrics_path') === '/probe' ||
  toRows(row.static_configs).some(({ labels }) => textOf(toRow(labels), '__param_module') !== '');

/** Refuses rules that select targets, or probe something else than the target that the file names. */
function assertPlainTargets(job: Row): void {
  for (const rule of toRows(job.relabel_configs)) {
    const label = textOf(rule, 'target_label');
    const action = textOf(rule, 'action') || 'replace';
    if (action === 'keep' || action === 'drop') throw new NotCarriedOver('Its relabeling selects targets.');
    const sources = textsOf(rule, 'source_labels').join();
    const isCopy =
      ['', '(.*)', '.*'].includes(textOf(rule, 'regex')) && /^(\$1|\$\{1\})?$/.test(textOf(rule, 'replacement'));
    const isTarget = label === '__param_target' && (!isCopy || sources !== '__address__');
    const isAddress = label === '__address__' && sources !== '';
    if (isTarget || isAddress) throw new NotCarriedOver('Its relabeling changes the targets.');
  }
}

/** The modules by which a job probes its targets. */
function modulesOf({ row }: Job, labels: Row): string[] {
  const label = moduleLabel(labels);
  const isUsed =
    textOf(labels, '__param_module') !== '' ||
    toRows(row.relabel_configs).some(
      (rule) => textOf(rule, 'target_label') === '__param_module' && textsOf(rule, 'source_labels').join() === 'module',
    );
  if (label !== '' && isUsed) return [label];
  const { module } = toRow(row.params);
  const named = Array.isArray(module) ? module.filter((each) => typeof each === 'string') : [];
  return named.length > 0 ? named : ['http_2xx'];
}

function addTarget(job: Job, target: string, labels: Row, module: string, builder: DraftBuilder): void {
  const settings = Object.hasOwn(job.modules, module) ? toRow(job.modules[module]) : null;
  const from = cut(settings ? textOf(settings, 'prober') || 'probe' : module, 40);
  const name = cut(/^https?:/i.test(target) ? suggestName(target) : target, 120) || 'Target';
  builder.addMonitor({ key: digest(JSON.stringify([job.name, module, target])), name, from }, () => {
    if (!settings)
      throw new NotCarriedOver(`The module ${cut(module, 60)} is not in the file. Append blackbox.yml to it.`);
    assertPlainTargets(job.row);
    const timeoutMs = toMs(
      textOf(job.row, 'scrape_timeout') || textOf(job.global, 'scrape_timeout'),
      DEFAULT_TIMEOUT_MS,
    );
    const { notes, ...typed } = toMonitor(settings, target, timeoutMs);
    const intervalMs = toMs(
      textOf(job.row, 'scrape_interval') || textOf(job.global, 'scrape_interval'),
      DEFAULT_INTERVAL_MS,
    );
    const own = Object.keys(labels).filter((label) => label !== 'module' && !label.startsWith('__'));
    const input = {
      ...typed,
      name,
      intervalSeconds: toInterval(intervalMs / 1_000, notes),
      tags: toTags([job.name, ...own.map((label) => `${label}: ${textOf(labels, label)}`)]),
    };
    return { input, channelKeys: null, pingToken: null, days: [], notes };
  });
}

function addJob(job: Job, builder: DraftBuilder): void {
  for (const group of toRows(job.row.static_configs)) {
    const labels = toRow(group.labels);
    for (const target of textsOf(group, 'targets')) {
      for (const module of modulesOf(job, labels)) addTarget(job, target.trim(), labels, module, builder);
    }
  }
  for (const kind of Object.keys(job.row).filter((name) => /_sd_configs?$/.test(name))) {
    builder.addMonitor(
      { key: digest(JSON.stringify([job.name, kind])), name: cut(job.name, 120), from: cut(kind, 40) },
      () => {
        throw new NotCarriedOver(
          'Targets that Prometheus discovers are not in the file. Write them into static_configs.',
        );
      },
    );
  }
}

/** Reads the scrape jobs of Prometheus that probe, and the modules of the blackbox exporter: of one document, or of several. */
export function readBlackbox(file: Buffer, builder: DraftBuilder): void {
  const documents = readYaml(file, { texts: true });
  const modules = Object.fromEntries(documents.flatMap((document) => Object.entries(toRow(document.modules))));
  const names: string[] = [];
  let others = 0;
  for (const document of documents) {
    for (const row of toRows(document.scrape_configs)) {
      const name = textOf(row, 'job_name') || 'job';
      if (isProbe(row)) {
        names.push(name);
        addJob({ name, row, global: toRow(document.global), modules }, builder);
      } else others += 1;
    }
  }
  const { draft } = builder;
  if (draft.monitors.length + draft.leftOut.length === 0) throw new UnreadableFile(OTHER);
  // A configuration has no ID of the installation.
  draft.instance = digest(names[0] ?? '').slice(0, 12);
  if (others > 0)
    draft.notes.push(
      `${others} scrape ${others === 1 ? 'job probes' : 'jobs probe'} nothing, and ${others === 1 ? 'is' : 'are'} not read.`,
    );
  draft.notes.push('Alerting rules are not read: each monitor alerts all channels of the team.');
}
