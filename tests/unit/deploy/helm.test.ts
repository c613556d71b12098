import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const CHART = 'deploy/helm';
const REQUIRED = ['--set', 'appUrl=https://up.example.com', '--set', 'existingSecret=own'];
const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });
const hasHelm = helm('version').status === 0;

/** The rendered objects by kind and name. */
function render(...args: string[]): Map<string, string> {
  const { status, stdout, stderr } = helm('template', 'up', CHART, ...REQUIRED, ...args);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const objects = stdout.split(/^---\n/m).filter((text) => text.trim() !== '');
  return new Map(
    objects.map((text) => [`${/^kind: (.*)$/m.exec(text)?.[1]} ${/^ {2}name: (.*)$/m.exec(text)?.[1]}`, text]),
  );
}

it.runIf(hasHelm)('renders a web deployment, workers per region, a migration, a service and disruption budgets', () => {
  expect(helm('lint', '--strict', CHART, ...REQUIRED).status).toBe(0);
  const objects = render(
    '--set',
    'workers[0].region=east,workers[0].replicas=2,workers[1].region=west,workers[1].replicas=1',
  );
  const names = ['Deployment up-web', 'Deployment up-worker-east', 'Deployment up-worker-west', 'Job up-migrate'];
  const budgets = ['PodDisruptionBudget up-web', 'PodDisruptionBudget up-worker-east'];
  expect([...objects.keys()].sort()).toEqual([...names, ...budgets, 'Service up'].sort());
  expect(objects.get('Deployment up-worker-west')).toMatch(/name: REGION\n\s+value: "west"/);
  expect(objects.get('Job up-migrate')).toContain('helm.sh/hook: pre-install,pre-upgrade');
  for (const name of names) {
    expect(objects.get(name), name).toMatch(
      /runAsNonRoot: true[\s\S]*readOnlyRootFilesystem: true[\s\S]*secretRef: { name: own }/,
    );
  }
});

it.runIf(hasHelm)(
  'makes a secret before the migration if it is given values, and an ingress for the host of the URL',
  () => {
    const given = ['--set', 'existingSecret=', '--set', 'secrets.APP_SECRET=0123456789abcdef'];
    const objects = render(...given, '--set', 'ingress.enabled=true,ingress.tlsSecret=certificate');
    expect(objects.get('Secret up')).toMatch(/hook-weight: "-5"[\s\S]*APP_SECRET: "0123456789abcdef"/);
    expect(objects.get('Ingress up')).toMatch(/host: up\.example\.com[\s\S]*secretName: certificate/);
  },
);

it.runIf(hasHelm).each([
  ['appUrl', ['--set', 'existingSecret=own']],
  ['existingSecret', ['--set', 'appUrl=https://up.example.com']],
])('says that %s is missing', (name, args) => {
  const { status, stderr } = helm('template', 'up', CHART, ...args);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`Set ${name}`)]);
});
