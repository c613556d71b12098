#!/usr/bin/env node
// @ts-check
// upwatch: the command line, in a release folder or image, and in a clone as `npx upwatch` or `npm run cli --`.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from './lib/build/stamps.mjs';
import { loadEnvFile } from './lib/env-file.mjs';
import { complain, Refusal } from './lib/steps.mjs';

/** The exit code of wrong arguments, as of many programs; not of `plan`, whose 2 says that there are changes. */
const USAGE = 2;

const cwd = process.cwd();
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
loadEnvFile();

/** Resolves a path of the user, who may be in another directory. @param {string} path */
const own = (path) => (path === '-' ? path : resolve(cwd, path));

/** Collects the values of an option that can be repeated. @param {string} value @param {string[]} values */
const collect = (value, values) => [...values, value];

function version() {
  if (existsSync(VERSION)) return readFileSync(VERSION, 'utf8').trim();
  return JSON.parse(readFileSync('package.json', 'utf8')).version;
}

async function loadCommander() {
  try {
    return await import('commander');
  } catch {
    throw new Refusal('The packages are not installed yet: run npm start or npm ci first.');
  }
}

async function main() {
  const { Command, Option, CommanderError } = await loadCommander();
  const commands = await import('./lib/commands.mjs');
  const configuration = await import('./lib/configuration.mjs');
  const agents = await import('./lib/agent.mjs');
  const passphrase = () =>
    new Option('--passphrase-file <file>', 'a file with the passphrase of the archive').argParser(own);
  const json = () => new Option('--json', 'write the result as JSON');
  const program = new Command('upwatch')
    .description('Uptime monitoring for teams.')
    .version(version(), '-v, --version')
    .exitOverride()
    .showHelpAfterError('(upwatch --help lists all commands)');
  program
    .command('start')
    .description('start Upwatch, or one role of it')
    .addOption(
      new Option('--role <role>', 'what to run')
        .choices(['all', 'web', 'worker', 'migrate'])
        .default('all')
        .env('UPWATCH_ROLE'),
    )
    .action(commands.start);
  program
    .command('migrate')
    .description('migrate the database, and exit')
    .action(() => commands.start({ role: 'migrate' }));
  program
    .command('health')
    .description('exit with 0 if the start on this data directory serves, for health checks of containers')
    .addOption(json())
    .action(commands.health);
  program
    .command('backup')
    .description('write the database, the objects and the settings into one archive, while Upwatch runs')
    .argument('<file>', 'the archive to create; "-" writes to standard output', own)
    .addOption(passphrase())
    .addOption(json())
    .action(commands.backup);
  program
    .command('restore')
    .description('restore an archive into an empty instance')
    .argument('<file>', 'the archive; "-" reads standard input', own)
    .addOption(passphrase())
    .addOption(json())
    .action(commands.restore);
  program
    .command('doctor')
    .description('find what is wrong with this instance, and say what to do; exit with 1 if there are errors')
    .addOption(json())
    .action(commands.doctor);
  program
    .command('demo')
    .description('create a team with monitors of a local target that fails now and then, and run the target')
    .option('--port <port>', 'the port of the target on this machine', '3999')
    .option('--remove', 'delete the team instead')
    .addOption(json())
    .action(commands.demo);
  /** @param {string} name @param {string} description */
  const remote = (name, description) =>
    program
      .command(name)
      .description(description)
      .option('--url <url>', 'the URL of your Upwatch (UPWATCH_URL)')
      .option('--api-key-file <file>', 'a file with an API key of the team (UPWATCH_API_KEY)', own);
  const files = () => new Option('-f, --file <paths...>', 'YAML files, or folders with them').makeOptionMandatory(true);
  /** @template Options @param {(options: Options & { cwd: string }) => Promise<void>} run */
  const fromHere = (run) => (/** @type {Options} */ options) => run({ ...options, cwd });
  remote('plan', 'show what apply would change; exit with 0 without changes, 2 with changes, 1 on errors')
    .addOption(files())
    .addOption(json())
    .action(fromHere(configuration.plan));
  remote('apply', 'make the configuration of a team as the files say, through the API')
    .addOption(files())
    .option('-y, --yes', 'delete without asking')
    .addOption(json())
    .addHelpText(
      'after',
      '\nDeletes only what the project of the files made or took over. Secrets come from the environment: $NAME in braces.',
    )
    .action(fromHere(configuration.apply));
  remote('export', 'write the configuration of a team as YAML, with names of environment variables in place of secrets')
    .option('-f, --file <file>', 'the file to write; standard output by default')
    .option('--project <name>', 'the project of the files', 'main')
    .option(
      '--show-texts',
      'write texts that may contain secrets (URLs with a query, bodies, other headers) as they are',
    )
    .action(fromHere(configuration.exportTeam));
  program
    .command('schema')
    .description('write the JSON Schema of these files, for editors')
    .option('-f, --file <file>', 'the file to write; standard output by default')
    .action(fromHere(configuration.schema));
  remote('import', 'import a file of another tool: show what would be created, ask, and create it')
    .argument(
      '[file]',
      'a file of another tool, a CSV file, a list of addresses or a sitemap; docs/moving-in.md lists them',
    )
    .option('--source <tool>', 'the tool that the file is of; by default by its ending')
    .option('--map <columns>', 'the columns of a CSV file, such as name=Title,url=Website', collect, [])
    .option('--dry-run', 'only show what would be created')
    .option('-y, --yes', 'create without asking')
    .option('--active', 'create active monitors; by default they are paused')
    .option('--no-history', 'import no uptime of past days')
    .option('--undo <id>', 'delete what an import created')
    .addOption(json())
    .action((file, options) => configuration.importFile(file, { ...options, cwd }));
  remote('mcp', 'connect an AI assistant to a team: the Model Context Protocol on standard input and output')
    .option('--allow-changes', 'also let it acknowledge and resolve incidents, create monitors, and the like')
    .action(configuration.mcp);
  program
    .command('agent')
    .description('check the monitors of a private region from this machine; connects to your Upwatch by HTTPS')
    .option('--url <url>', 'the URL of your Upwatch (UPWATCH_URL)')
    .option('--token <token>', 'the agent token (UPWATCH_AGENT_TOKEN); other users of this machine can see arguments')
    .option('--token-file <file>', 'a file with the agent token', own)
    .option('--region <name>', 'the region that the token must be for, such as office')
    .option('--name <name>', 'the name of this agent in the dashboard; by default that of the machine')
    .option('--allow-http', 'connect without TLS also to other machines, which exposes the token')
    .action(agents.agent);
  program
    .command('admin')
    .description('operator commands on a running instance: reset-password <email>')
    .argument('[args...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(commands.admin);
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : process.argv[2] === 'plan' ? 1 : USAGE;
  }
}

await main().catch((error) => {
  complain(error);
  process.exitCode = 1;
});
