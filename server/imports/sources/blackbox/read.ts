import { digest, toInterval } from '../../convert/conversion';
import { nameOfAddress } from '../../convert/name';
import { type Row, toRow, toRows } from '../../convert/rows';
import { readYaml } from '../../convert/yaml';
import { cut, type DraftBuilder, NotCarriedOver, toTags, UnreadableFile } from '../../draft';
import { toMonitor } from './probers';
import { textOf, textsOf, toMs } from './settings';

const OTHER =
  'This file is not a configuration of Prometheus with probes: no scrape job has static targets and a module.';
/** The parameters of the exporter that change what is probed. */
const PARAMETERS = ['target', 'module', 'hostname'] as const;
/** The maximum number of relabeling rules of a job, because every target is relabeled by all of them. */
const MOST_RULES = 100;
const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 10_000;

/** A scrape job with the defaults of the file. */
interface Job {
  name: string;
  row: Row;
  params: Row;
  global: Row;
  modules: Row;
}

/** Returns whether a job probes targets through the exporter: it names a module or the path /probe. */
const isProbe = (row: Row) =>
  toRow(row.params).module !== undefined ||
  textOf(row, 'metrics_path') === '/probe' ||
  toRows(row.static_configs).some(({ labels }) => textOf(toRow(labels), '__param_module') !== '');

/** Returns the value that a relabeling rule writes: that of one label, or a constant. Null if it computes the value otherwise. */
function writtenBy(rule: Row, labels: Map<string, string | null>): string | null {
  const replacement = textOf(rule, 'replacement');
  const isPlain = ['', '(.*)'].includes(textOf(rule, 'regex')) && (textOf(rule, 'action') || 'replace') === 'replace';
  if (!isPlain || Object.hasOwn(rule, 'modulus')) return null;
  const isCopy = !Object.hasOwn(rule, 'replacement') || /^\$(1|\{1\})$/.test(replacement);
  if (!isCopy) return replacement === '' || replacement.includes('$') ? null : replacement;
  const [source = '', ...others] = textsOf(rule, 'source_labels');
  return source === '' || others.length > 0 ? null : (labels.get(source) ?? (labels.has(source) ? null : ''));
}

/**
 * Returns the labels of a target after the relabeling rules of its job. A value is null if it cannot be determined.
 * @throws NotCarriedOver if the rules select targets, or there are too many
 */
function relabel({ name, row, params }: Job, address: string, labels: Row): Map<string, string | null> {
  const all = new Map<string, string | null>(Object.keys(labels).map((name) => [name, textOf(labels, name)]));
  all.set('__address__', address);
  all.set('job', name);
  // A label takes precedence over the parameter, of which the exporter uses the first value.
  for (const parameter of PARAMETERS) {
    const label = `__param_${parameter}`;
    if (!all.get(label)) all.set(label, textsOf(params, parameter)[0] ?? '');
  }
  const rules = Array.isArray(row.relabel_configs) ? row.relabel_configs : [];
  if (rules.length > MOST_RULES) throw new NotCarriedOver(`It has more than ${MOST_RULES} relabeling rules.`);
  for (const rule of toRows(rules)) {
    const action = textOf(rule, 'action').toLowerCase();
    if (/^(keep|drop)(equal)?$/.test(action)) throw new NotCarriedOver('Its relabeling selects targets.');
    const label = textOf(rule, 'target_label');
    if (label !== '') all.set(label, writtenBy(rule, all));
  }
  return all;
}

/**
 * Returns the target and the module that Prometheus passes to the exporter.
 * @throws NotCarriedOver
 */
function probeOf(job: Job, address: string, labels: Row): { target: string; module: string } {
  const all = relabel(job, address, labels);
  // An empty label leaves the parameter as it is.
  const parameterOf = (name: (typeof PARAMETERS)[number]) => {
    const value = all.get(`__param_${name}`);
    return value === '' || value === undefined ? (textsOf(job.params, name)[0] ?? '') : value;
  };
  const [target, module] = [parameterOf('target'), parameterOf('module')];
  if (target === null) throw new NotCarriedOver('Its relabeling changes the targets.');
  if (target === '') {
    throw new NotCarriedOver(
      'It passes no target to the exporter. Add a relabeling rule from __address__ to __param_target.',
    );
  }
  if (module === null) throw new NotCarriedOver('Its relabeling computes the module.');
  if (parameterOf('hostname') !== '') throw new NotCarriedOver('The parameter hostname is not supported.');
  return { target: target.trim(), module: module || 'http_2xx' };
}

/** Like `probeOf`, but returns the NotCarriedOver error instead of throwing it. */
function tryProbe(job: Job, address: string, labels: Row) {
  try {
    return probeOf(job, address, labels);
  } catch (error) {
    if (error instanceof NotCarriedOver) return error;
    throw error;
  }
}

function addTarget(job: Job, address: string, labels: Row, builder: DraftBuilder): void {
  const probe = tryProbe(job, address, labels);
  const { target, module } = probe instanceof NotCarriedOver ? { target: address, module: '' } : probe;
  const settings = Object.hasOwn(job.modules, module) ? toRow(job.modules[module]) : null;
  const from = cut(settings ? textOf(settings, 'prober') : module, 40) || 'probe';
  const name = nameOfAddress(target) || 'Target';
  builder.addMonitor({ key: digest(JSON.stringify([job.name, module, target])), name, from }, () => {
    if (probe instanceof NotCarriedOver) throw probe;
    if (!settings)
      throw new NotCarriedOver(`The module ${cut(module, 60)} is not in the file. Append blackbox.yml to it.`);
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
    return { input, notes };
  });
}

function addJob(job: Job, builder: DraftBuilder): void {
  for (const group of toRows(job.row.static_configs)) {
    const labels = toRow(group.labels);
    for (const address of textsOf(group, 'targets')) addTarget(job, address.trim(), labels, builder);
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

/** Reads the scrape jobs of Prometheus that probe, and the modules of the blackbox exporter, from one or several YAML documents. */
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
        addJob({ name, row, params: toRow(row.params), global: toRow(document.global), modules }, builder);
      } else others += 1;
    }
  }
  const { draft } = builder;
  if (draft.monitors.length + draft.leftOut.length === 0) throw new UnreadableFile(OTHER);
  // The file contains no ID of the installation, so the first job identifies it.
  draft.instance = digest(names[0] ?? '').slice(0, 12);
  if (others > 0)
    draft.notes.push(
      `${others} scrape ${others === 1 ? 'job probes' : 'jobs probe'} nothing, and ${others === 1 ? 'is' : 'are'} not read.`,
    );
  draft.notes.push('Alerting rules are not read: each monitor alerts all channels of the team.');
}
