'use client';

import { Fragment, useState } from 'react';
import { phaseTimes, totalOf } from '@/app/_components/charts/phases';
import { PhasesMini, Waterfall } from '@/app/_components/charts/waterfall';
import { formatMs, formatTimestamp } from '@/app/_components/format';
import { Evidence } from '@/app/_components/page';
import { Reason } from '@/app/_components/status/reason';
import { StateLabel } from '@/app/_components/status/state-label';
import { stateWords } from '@/app/_components/status/states';
import { TextWithTimes } from '@/app/_components/time/text-with-times';
import { Timestamp } from '@/app/_components/time/time';
import { Badge } from '@/app/_components/ui/badge';
import { Icon } from '@/app/_components/ui/icon';
import type { Check } from '@/server/monitor-types/schema';

/** Checks, newest first. A row expands to the details of its check. */
export function ChecksTable({ checks }: { checks: Check[] }) {
  const [open, setOpen] = useState<string | null>(null);
  const severalRegions = new Set(checks.map(({ region }) => region)).size > 1;
  return (
    <table className="data-table">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Details</span>
          </th>
          <th scope="col">Time</th>
          {severalRegions ? <th scope="col">Region</th> : null}
          <th scope="col">Result</th>
          <th scope="col" className="max-lg:hidden">
            Reason
          </th>
          <th scope="col" className="max-lg:hidden">
            Phases
          </th>
          <th scope="col" className="r">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check) => {
          const isOpen = open === check.id;
          const at = formatTimestamp(check.at, { style: 'full', now: 0, timeZone: 'UTC' });
          return (
            <Fragment key={check.id}>
              <tr className={isOpen ? 'open' : undefined}>
                <td className="w-9">
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    aria-label={`${isOpen ? 'Hide' : 'Show'} details, ${at}`}
                    onClick={() => setOpen(isOpen ? null : check.id)}
                    className="grid size-8 place-items-center text-faint hover:text-ink focus-inset"
                  >
                    <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} small />
                  </button>
                </td>
                <td className="font-mono text-small">
                  <Timestamp at={check.at} />
                </td>
                {severalRegions ? <td>{check.region}</td> : null}
                <td>
                  <StateLabel state={check.status} className="align-middle" />
                  {check.statusCode === null ? null : (
                    <span className="ml-1.5 align-middle font-mono text-small text-muted">{check.statusCode}</span>
                  )}
                </td>
                <td className="w-full max-w-0 text-muted max-lg:hidden">
                  {check.error ? <Reason text={check.error} /> : null}
                </td>
                <td className="max-lg:hidden">
                  <PhasesMini times={phaseTimes(check)} />
                </td>
                <td className="r">{formatMs(check.latencyMs ?? totalOf(phaseTimes(check)))}</td>
              </tr>
              {isOpen ? (
                <tr className="evidence">
                  <td colSpan={severalRegions ? 7 : 6}>
                    <CheckEvidence check={check} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function CheckEvidence({ check }: { check: Check }) {
  const times = phaseTimes(check);
  const happened = Object.values(times).some((time) => time !== null);
  return (
    <Evidence
      head={
        <>
          <Badge state={check.status}>{check.status === 'down' ? 'Failed' : stateWords[check.status]}</Badge>
          <Timestamp at={check.at} full />
          <span className="grow" />
          {check.statusCode === null ? null : <span className="font-mono">{check.statusCode}</span>}
          <span>Region {check.region}</span>
        </>
      }
    >
      <div className="grid gap-2 px-3 py-2">
        {check.error ? (
          <p className="[overflow-wrap:anywhere]">
            <TextWithTimes>{check.error}</TextWithTimes>
          </p>
        ) : null}
        {happened ? <Waterfall times={times} columns={[{ label: 'Time', times }]} /> : null}
        {!happened && !check.error ? <p className="text-muted">No timings recorded.</p> : null}
      </div>
    </Evidence>
  );
}
