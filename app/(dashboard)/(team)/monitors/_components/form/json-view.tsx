'use client';

import { useMemo } from 'react';
import type { CheckAttempt } from '@/server/incidents/schema';
import { type JsonLine, toJsonLines } from './json-values';

export interface JsonViewProps {
  attempt: CheckAttempt;
  /** Called with the path and the value that was chosen. */
  onRule: (path: string, value: string | number | boolean) => void;
}

/** The values of a JSON response. A click on one adds a rule for it. */
export function JsonView({ attempt, onRule }: JsonViewProps) {
  const text = attempt.exchanges.at(-1)?.body?.text;
  const lines = useMemo(() => (text ? toJsonLines(text) : null), [text]);
  if (!lines) return null;
  return (
    <div className="grid gap-1 border-t px-3 py-3">
      <h3 className="text-small font-medium text-muted">Add a rule for a value</h3>
      <ul className="max-h-96 overflow-y-auto font-mono text-small">
        {lines.map((line) => (
          <li
            key={`${line.path} ${line.text}`}
            style={{ paddingLeft: line.depth * 14 }}
            className="flex items-baseline"
          >
            <span className="whitespace-pre text-muted">{line.label}</span>
            <Value line={line} onRule={onRule} />
            {line.isLast ? null : <span className="text-muted">,</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Value({ line: { path, text, value }, onRule }: { line: JsonLine; onRule: JsonViewProps['onRule'] }) {
  if (value === undefined) return <span className="text-muted">{text}</span>;
  return (
    <button
      type="button"
      title={`Add rule: ${path} equals ${text}`}
      className="min-h-6 rounded-1 px-1 text-left [overflow-wrap:anywhere] hover:bg-hover hover:underline focus-inset"
      onClick={() => onRule(path, value)}
    >
      <span className="sr-only">Add rule for {path}: </span>
      {text}
    </button>
  );
}
