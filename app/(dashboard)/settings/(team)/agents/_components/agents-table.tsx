import { formatCount, formatLatency } from '@/app/_components/format';
import { RelativeTime } from '@/app/_components/time/time';
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '@/app/_components/ui/table';
import { Tag } from '@/app/_components/ui/tag';
import type { Agent } from '@/server/agents/schema';

/** A figure with its label, for layouts without column headings. */
function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <span className="text-small text-faint lg:hidden">{name} </span>
      {children}
    </>
  );
}

function stateOf({ isAlive, hasNetwork }: Agent) {
  if (!isAlive) return { state: 'down', text: 'Not connected' };
  return hasNetwork ? { state: 'up', text: 'Connected' } : { state: 'unknown', text: 'Its network is down' };
}

/** The clock of an agent against the server's: "+12 ms". */
function clockText(offsetMs: number | null): string {
  if (offsetMs === null) return '–';
  const rounded = Math.round(offsetMs);
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${formatLatency(Math.abs(rounded))}`;
}

/** The agents that run or ran within the last day. */
export function AgentsTable({ agents }: { agents: Agent[] }) {
  return (
    <Table
      label="Agents"
      className="lg:[--cols:minmax(0,1.2fr)_minmax(0,1fr)_130px_90px_90px_100px_90px_minmax(0,0.9fr)] lg:[&_.row]:px-2"
    >
      <TableHead>
        <ColumnHead>Agent</ColumnHead>
        <ColumnHead>Region</ColumnHead>
        <ColumnHead>State</ColumnHead>
        <ColumnHead right>Last seen</ColumnHead>
        <ColumnHead right>Checks/min</ColumnHead>
        <ColumnHead right>Lateness p99</ColumnHead>
        <ColumnHead right>Clock</ColumnHead>
        <ColumnHead right>Version</ColumnHead>
      </TableHead>
      <TableBody>
        {agents.map((agent) => {
          const { state, text } = stateOf(agent);
          return (
            <Row key={agent.id} className="max-lg:gap-y-1">
              <Cell className="truncate font-medium">{agent.name}</Cell>
              <Cell className="max-lg:text-right">
                <Tag>{agent.region}</Tag>
              </Cell>
              <Cell className="text-small">
                <span data-state={state} className="text-s-fg">
                  {text}
                </span>
              </Cell>
              <Cell className="text-right text-muted">
                <Figure name="Last seen">
                  <RelativeTime at={agent.lastSeenAt} />
                </Figure>
              </Cell>
              <Cell className="num lg:text-right">
                <Figure name="Checks/min">{formatCount(agent.checksPerMinute)}</Figure>
              </Cell>
              <Cell right>
                <Figure name="Lateness p99">{formatLatency(agent.latenessP99Ms)}</Figure>
              </Cell>
              <Cell className="num lg:text-right">
                <Figure name="Clock">{clockText(agent.clockOffsetMs)}</Figure>
              </Cell>
              <Cell className="mono truncate text-right text-small text-faint">{agent.version}</Cell>
            </Row>
          );
        })}
      </TableBody>
    </Table>
  );
}
