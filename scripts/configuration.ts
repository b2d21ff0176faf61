/**
 * `npm run configuration`: writes docs/configuration.md from the declarations of the variables;
 * `--check` only checks that it is current.
 */
import path from 'node:path';
import { type Variable, VARIABLES } from '@guise/server/config/variables.ts';
import { writePage } from './generated-page.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const INTRODUCTION = `# Configuration

guise reads these environment variables once, when it starts. An empty variable counts as not set. If guise cannot use
a value, it does not start, and its error names the variable. A default path such as \`.guise\` begins in guise's own folder.

\`npm run configuration\` makes this page from [the code that reads the variables](../packages/server/src/config/variables.ts).

## Set a variable

\`\`\`
PORT=8080 npm start                      # for one command
export GUISE_DATA_DIR=/srv/guise         # for all later commands of this shell
echo PORT=8080 >> /etc/guise/environment # for the service of systemd; then restart it
echo GUISE_ENGINE_SLOTS=5 >> deploy/.env # for Compose, if compose.yml names it; then run \`docker compose up -d\` again
\`\`\`

\`guise\` commands need the same \`GUISE_DATA_DIR\`, \`DATABASE_URL\` and \`GUISE_S3_*\` as the service.
`;

function rowOf([name, variable]: [string, Variable]): string {
  const { reads, default: text, defaultInWords, meaning } = variable;
  const words = text === null ? 'none' : `\`${text.replace(`${ROOT}/`, '')}\``;
  const rule = reads.rule === null ? '' : ` The value ${reads.rule}.`;
  return `| \`${name}\` | ${defaultInWords ?? words} | ${meaning}${rule} |\n`;
}

const groups = Map.groupBy(Object.entries<Variable>(VARIABLES), ([, { group }]) => group);
const tables = [...groups].map(
  ([group, variables]) =>
    `\n## ${group}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${variables.map(rowOf).join('')}`,
);
writePage('docs/configuration.md', INTRODUCTION + tables.join(''), 'configuration');
