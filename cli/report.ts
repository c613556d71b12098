import { toLine } from '@/server/text/schema';
import type { Outcome } from './apply';
import { type FieldChange, idOf, isEmpty, type Plan, type Step } from './plan';
import { resources } from './state';

const SIGNS = { create: '+', update: '~', replace: '±', delete: '-' } as const;
const COLORS = { create: 32, update: 33, replace: 35, delete: 31 } as const;
const MOST_CHARACTERS = 200;

/** Returns a value on one line, without what could move a terminal's cursor or hide text. */
function show(value: unknown): string {
  if (value === undefined || value === null) return '(none)';
  const text = toLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

function changeLine({ path, before, after, from }: FieldChange): string {
  const source = from && from.length > 0 ? ` from ${from.map((name) => `\${${name}}`).join(', ')}` : '';
  return `    ${path}: ${show(before)} → ${show(after)}${source}`;
}

const nameOf = ({ section, key }: Step) => `${resources[section].label} ${key}`;

function stepLines(step: Step, color: boolean): string[] {
  const { action } = step;
  const head = `${SIGNS[action]} ${action} ${nameOf(step)}${place(step)}`;
  const painted = color ? `\x1b[${COLORS[action]}m${head}\x1b[0m` : head;
  return [painted, ...('changes' in step ? step.changes.map(changeLine) : [])];
}

function place(step: Step): string {
  return step.action === 'delete' ? '' : ` (${step.desired.at()})`;
}

const count = (amount: number, what: string) => `${amount} to ${what}`;

/** Returns how many objects a plan changes, in words. */
export function summary({ steps, team, unchanged }: Plan): string {
  const of = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  const replaced = of('replace');
  const parts = [
    count(of('create'), 'create'),
    count(of('update') + team.length, 'change'),
    ...(replaced > 0 ? [count(replaced, 'replace')] : []),
    count(of('delete'), 'delete'),
  ];
  return `${parts.join(', ')}, ${unchanged} unchanged`;
}

/** Returns a plan as text for people, without secrets. */
export function planText(plan: Plan, { color }: { color: boolean }): string {
  const lines = plan.steps.flatMap((step) => stepLines(step, color));
  for (const { field, before, after } of plan.team) lines.push(`~ team ${field}: ${show(before)} → ${show(after)}`);
  if (plan.unseen.length > 0) {
    const names = [...new Set(plan.unseen.flatMap(({ desired }) => [...desired.variables.values()].flat()))];
    const shown = names.slice(0, 5).map((name) => `\${${name}}`);
    const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
    lines.push(
      `  Secrets of ${plan.unseen.length} unchanged objects end as before (${shown.join(', ')}${more}). apply sends them again; the server changes only what differs.`,
    );
  }
  lines.push(isEmpty(plan) ? `No changes: ${plan.unchanged} objects are as described.` : `Plan: ${summary(plan)}.`);
  return lines.join('\n');
}

/** Returns a plan as an object for programs, without secrets. */
export function planJson(plan: Plan): object {
  return {
    project: plan.project,
    hasChanges: !isEmpty(plan),
    steps: plan.steps.map((step) => ({
      action: step.action,
      section: step.section,
      key: step.key,
      ...(step.action !== 'delete' && { where: step.desired.at() }),
      ...('changes' in step && {
        changes: step.changes.map(({ before = null, after = null, ...rest }) => ({ ...rest, before, after })),
      }),
    })),
    team: plan.team,
    secretsSentAgain: plan.unseen.map(({ desired }) => idOf(desired.section, desired.key)),
    unchanged: plan.unchanged,
  };
}

/** Returns a text about what `apply` did. */
export function outcomeText({ created, updated, replaced, deleted, secrets, team }: Outcome): string {
  const parts = [
    `${created} created`,
    `${updated + team} changed`,
    ...(replaced > 0 ? [`${replaced} replaced`] : []),
    `${deleted} deleted`,
    ...(secrets.length > 0 ? [`${secrets.length} got other secrets (${secrets.slice(0, 10).join(', ')})`] : []),
  ];
  return `Applied: ${parts.join(', ')}.`;
}
