/**
 * `npm run command-line`: writes docs/cli.md from the declarations of the commands; `--check` only
 * checks that it is current.
 */
import { program } from '@guise/cli/program.ts';
import type { Argument, Command, Option } from 'commander';
import { writePage } from './generated-page.ts';

const INTRODUCTION = `# The command line

\`npm run command-line\` makes this page from [the code that declares the commands](../packages/cli/src/program.ts).

## Run a command

In the folder of guise:

\`\`\`
npx guise swap me.jpg painting.png -o out.png
npx guise --help                # the commands
npx guise swap --help           # the options of a command
npx guise --version
\`\`\`

\`npx guise\` works only in the folder of guise. In any other folder, npx looks for a package named \`guise\` in npm's registry. A
package of that name is not this program: do not install it. In another folder, run the file of the command. If guise is in \`/opt/guise\`:

\`\`\`
node /opt/guise/packages/cli/bin/guise.cjs swap me.jpg painting.png -o out.png
\`\`\`

Paths of files begin in your current folder. In a container, give the command to the image ([containers](guide/containers.md)).

With \`--json\`, a command prints one JSON document to standard output. Progress and errors go to standard error.

## Exit codes

| Exit code | Meaning |
|---|---|
| 0 | success |
| 1 | the command failed, and printed one sentence that says why; \`guise verify\`: the file has no valid content credentials |
| 2 | an argument or option is missing or wrong |
| 129, 130, 143 | a signal stopped the command: SIGHUP, SIGINT (Ctrl-C) or SIGTERM |

## Variables

Give a command the same [variables](configuration.md) as the service. Otherwise it works on another installation.

| Commands | They use | Variables |
|---|---|---|
| \`swap\`, \`detect\`, \`demo\`, \`verify\`, \`models\` | models and signing key in the data folder; no database | \`GUISE_DATA_DIR\`; \`GUISE_SIGNING_CERTIFICATE\` and \`GUISE_SIGNING_KEY\` for your own certificate, \`GUISE_TIMESTAMP_URL\` for time stamps |
| \`account\`, \`webhook\`, \`keys\`, \`signing\` | the database | \`DATABASE_URL\`; for the database that guise brings, \`GUISE_DATA_DIR\` |
| \`backup\`, \`restore\` | the database, and the media in the data folder or the bucket | as above, and \`GUISE_DATA_DIR\` or \`GUISE_S3_*\` |

- If \`DATABASE_URL\` leads to a pooler, set \`DATABASE_DIRECT_URL\` too.
- If the service has a \`GUISE_ENCRYPTION_KEY\`, give it to \`signing rotate\` and \`keys rotate encryption\`.
- \`account link\` and \`account invite\` print a link with the service's address. If the service runs on another machine, set \`GUISE_PUBLIC_URL\`.
- \`GUISE_LOG_LEVEL=debug\` also prints where in the code a command failed.

## Commands

Words in capital letters, such as TARGET, mean the argument of that name. In a usage, \`[options]\` stands for the
options in the table, and \`[target]\` may be left out.
`;

/** Heading of the commands that have no other commands above them. */
const TOP_HEADING = '###';

/** Matches a default that a description tells, because commander has no field for it. */
const DEFAULT_IN_WORDS = / \(default: (.+)\)$/;

/** Matches the examples in the text after the options: they are indented. */
const EXAMPLES = /(?:^ {2}.+\n)+/gm;

/** Returns the section of a command, and those of its own commands. */
function sectionOf(command: Command, heading = TOP_HEADING): string {
  const title = `\n${heading} ${nameOf(command)}\n\n${asSentence(command.description())}\n`;
  if (command.commands.length > 0) {
    return title + command.commands.map((each) => sectionOf(each, `${heading}#`)).join('');
  }
  const usage = command.createHelp().commandUsage(command).replaceAll(/^ +/gm, '');
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  return `${title}
\`\`\`
${usage}
\`\`\`

| Argument or option | Default | Meaning |
|---|---|---|
${rows.join('')}${textAfterOptions(command)}`;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function argumentRow(argument: Argument): string {
  const { required, description, argChoices } = argument;
  const name = argument.name();
  return rowOf(required ? `<${name}>` : `[${name}]`, required ? 'required' : 'none', description, argChoices);
}

function optionRow(option: Option): string {
  return rowOf(option.flags, defaultOf(option), option.description, option.argChoices);
}

function rowOf(name: string, byDefault: string, description: string, choices: string[] = []): string {
  const words = DEFAULT_IN_WORDS.exec(description);
  const list = choices.length === 0 ? '' : `; one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`;
  return `| \`${name}\` | ${words?.[1] ?? byDefault} | ${description.replace(DEFAULT_IN_WORDS, '')}${list} |\n`;
}

function defaultOf(option: Option): string {
  if (option.mandatory) return 'required';
  if (option.isBoolean()) return 'off';
  const value = String(option.defaultValue ?? '');
  return value === '' ? 'none' : `\`${value}\``;
}

/** Returns the text that the help of a command has after its options, with examples as code. */
function textAfterOptions(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const text = help.slice(command.helpInformation().length).trimStart();
  const paragraphs = text.replaceAll(
    EXAMPLES,
    (lines) => `\n\`\`\`\n${lines.replaceAll(/^ +/gm, '')}\`\`\`\n`,
  );
  return paragraphs === '' ? '' : `\n${paragraphs}`;
}

function asSentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const sections = program.commands.map((command) => sectionOf(command));
writePage('docs/cli.md', INTRODUCTION + sections.join(''), 'command-line');
